package io.millrace.broker.partition;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

/// Where the replicas of a partition are, as its leader knows.
public record ReplicaFacts(int leaderEpoch, long highWatermark, long logStartOffset, long logEndOffset,
        List<FollowerFacts> followers) {

    /// @param logEndOffset -1 where it has not fetched yet in this reign
    /// @param behind how long ago it was caught up; null where it never was
    public record FollowerFacts(int broker, long logEndOffset, @Nullable Duration behind, boolean inSync) {}
}
