/// Tests of the room.
@NullMarked
package io.millrace.broker.offsets;

import org.jspecify.annotations.NullMarked;
