/// Tests of the room.
@NullMarked
package io.millrace.broker.isr;

import org.jspecify.annotations.NullMarked;
