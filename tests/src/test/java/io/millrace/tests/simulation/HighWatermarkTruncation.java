package io.millrace.tests.simulation;

import java.io.IOException;
import java.util.IdentityHashMap;

import io.millrace.broker.partition.Partition;
import io.millrace.broker.partition.PartitionRegistry;
import io.millrace.broker.partition.ReplicaRole.Follower;

/// Cuts the log of whoever begins to follow at its high watermark: [Flaw#TRUNCATES_TO_HIGH_WATERMARK].
final class HighWatermarkTruncation {
    private final IdentityHashMap<Partition, Integer> followedEpoch = new IdentityHashMap<>();

    void look(PartitionRegistry partitions) {
        for (var partition : partitions.all()) {
            var log = partition.log();
            if (log != null && partition.role() instanceof Follower follower && follower.leader() >= 0
                    && !Integer.valueOf(follower.leaderEpoch()).equals(followedEpoch.put(partition, follower
                            .leaderEpoch()))) {
                try {
                    log.truncateTo(log.highWatermark());
                } catch (IOException _) {
                    // Its disk fails, as the log has told whoever watches it.
                }
            }
        }
    }
}
