/// Kafka's sparse indexes of a segment, mapped into memory: from an offset to a position, from a time to an offset. One writer
/// (under the log's lock), any number of readers without a lock.
@NullMarked
package io.millrace.log.index;

import org.jspecify.annotations.NullMarked;
