/// A shard: one partition of `__consumer_offsets` or `__transaction_state`, what it holds, and the one rule by which that
/// changes: decide, append, and only then let the change be seen and answered. Each shard belongs to one loop; a few loops
/// are shared by all. [io.millrace.coordinator.shard.ShardContents] is what differs between groups and transactions.
///
/// ## Who owns a shard
/// The controller gives shards to coordinators, each handover under a higher epoch; [io.millrace.coordinator.shard.OwnedShards]
/// follows the image. Every append carries the epoch, and the partition's leader refuses one below the newest it has
/// seen. A new owner therefore appends one record before it reads anything: the tombstone of a group or a transactional
/// id with an empty name, which no reader of the topic minds and compaction removes. Once that is on all in-sync replicas, nothing of an
/// older owner can come behind it, so that what is then read up to that record is all there is. (A Produce without
/// batches would need no such record, but proves nothing: it does not wait for replicas.)
///
/// ## When an append fails
/// Where nothing was appended for sure the state stays as it was, and clients are told to try again. Where that is not
/// known the shard is loaded again, since it must not go on from a state that the log may not have: the mark that a load
/// begins with is newer than any request that was given up, so that none of those can come in behind what is read.
///
/// ## Who answers for an offset
/// A process that was replaced may not know it yet, and its newest offset may be an old one by now. So an offset is told
/// only once something that was appended after it was asked for is durable.
@NullMarked
package io.millrace.coordinator.shard;

import org.jspecify.annotations.NullMarked;
