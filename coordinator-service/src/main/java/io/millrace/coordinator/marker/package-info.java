/// Markers that end transactions, on their way to whoever appends them: the leader of each partition, and for
/// `__consumer_offsets` the coordinator that owns the shard of the groups. All of it happens on one loop.
@NullMarked
package io.millrace.coordinator.marker;

import org.jspecify.annotations.NullMarked;
