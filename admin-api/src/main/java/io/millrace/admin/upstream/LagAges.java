package io.millrace.admin.upstream;

import java.time.Clock;
import java.util.HashMap;
import java.util.Map;

import org.apache.kafka.common.TopicPartition;

/// How long what a group has not read yet has been waiting for it.
public final class LagAges {
    private static final int MOST = 256;
    private static final double SECOND_MILLIS = 1_000;

    private final Fetches fetches;
    private final Clock clock;

    /// @param fetches reads the oldest unread record of each partition
    public LagAges(Fetches fetches, Clock clock) {
        this.fetches = fetches;
        this.clock = clock;
    }

    /// Seconds since the oldest unread record of each partition was written; 0 where all is read. What nobody tells is left out, and
    /// so is what lies beyond the first partitions of a very large group.
    ///
    /// @param committed where the group is
    /// @param ends offsets of the next records
    public Map<TopicPartition, Double> of(Map<TopicPartition, Long> committed, Map<TopicPartition, Long> ends) {
        var ages = new HashMap<TopicPartition, Double>();
        var behind = new HashMap<TopicPartition, Long>();
        committed.forEach((partition, offset) -> {
            var end = ends.get(partition);
            if (end != null && end <= offset) {
                ages.put(partition, 0.0);
            } else if (end != null && behind.size() < MOST) {
                behind.put(partition, offset);
            }
        });
        long now = clock.millis();
        fetches.timestamps(behind).forEach((partition, timestamp) -> ages.put(partition, Math.max(0, now - timestamp)
                / SECOND_MILLIS));
        return ages;
    }
}
