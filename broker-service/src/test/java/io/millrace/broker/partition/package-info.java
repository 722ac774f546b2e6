/// Tests of the room.
@NullMarked
package io.millrace.broker.partition;

import org.jspecify.annotations.NullMarked;
