/// Tests of the room.
@NullMarked
package io.millrace.broker.produce;

import org.jspecify.annotations.NullMarked;
