/// Tests of the room.
@NullMarked
package io.millrace.broker.fetch;

import org.jspecify.annotations.NullMarked;
