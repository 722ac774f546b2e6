package io.millrace.coordinator.shard;

import io.millrace.coordinator.group.GroupState;

/// Counts groups and offsets over all shards. Callable from any thread.
public interface GroupCensus {
    /// So many more (or fewer) groups are in that state.
    void group(GroupState state, int change);

    /// So many more (or fewer) partitions have a committed offset.
    void offsets(int change);
}
