package io.millrace.controller.topic;

import io.millrace.wire.error.Refused;
import org.apache.kafka.common.protocol.Errors;

/// What the controller's settings say about topics.
///
/// @param defaultPartitions `num.partitions`
/// @param defaultReplicationFactor `default.replication.factor`
/// @param deletionEnabled `delete.topic.enable`
public record TopicRules(int defaultPartitions, int defaultReplicationFactor, boolean deletionEnabled) {
    /// How many partitions one command may add in all its topics, as in Kafka: all of them are one write and one change,
    /// and a slip of the keyboard must not cost the controller its memory.
    private static final int MOST_AT_ONCE = 10_000;

    /// @throws Refused POLICY_VIOLATION where `partitions` are more than one command may add
    public static void checkAdded(long partitions) {
        if (partitions > MOST_AT_ONCE) {
            throw new Refused(Errors.POLICY_VIOLATION, "Excessively large number of partitions per request: "
                    + partitions + "; at most " + MOST_AT_ONCE + " can be added at once.");
        }
    }
}
