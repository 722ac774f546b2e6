package io.millrace.coordinator.lag;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.millrace.coordinator.lag.CommittedAt.PartitionName;
import io.millrace.coordinator.shard.GroupShard;
import io.millrace.coordinator.shard.OwnedShards;

/// All that the groups of this coordinator have committed. Each shard is asked on its loop.
final class GroupOffsets {
    private final OwnedShards<GroupShard> shards;

    GroupOffsets(OwnedShards<GroupShard> shards) {
        this.shards = shards;
    }

    /// Shards that are loading, or go away meanwhile, are left out.
    CompletableFuture<List<CommittedAt>> committed() {
        var parts = shards.onEach(shard -> CompletableFuture.completedFuture(committed(shard))).stream()
                .map(part -> part.exceptionally(_ -> List.of())).toList();
        return CompletableFuture.allOf(parts.toArray(CompletableFuture[]::new))
                .thenApply(_ -> parts.stream().flatMap(part -> part.join().stream()).toList());
    }

    private static List<CommittedAt> committed(GroupShard shard) {
        var all = new ArrayList<CommittedAt>();
        for (var group : shard.list()) {
            var offsets = shard.known(group.groupId());
            for (var topic : offsets.topics()) {
                for (var partition : topic.partitions()) {
                    if (partition.committedOffset() >= 0) {
                        all.add(new CommittedAt(group.groupId(), new PartitionName(topic.name(), partition
                                .partitionIndex()), partition.committedOffset()));
                    }
                }
            }
        }
        return all;
    }
}
