/// A shard's partition of its topic, reached through the Kafka protocol like any other: appended to with
/// acks=all, read as a consumer reads. Futures complete on event loops.
@NullMarked
package io.millrace.coordinator.storage;

import org.jspecify.annotations.NullMarked;
