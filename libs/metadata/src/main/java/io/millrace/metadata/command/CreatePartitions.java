package io.millrace.metadata.command;

import java.util.List;

/// Adds partitions to topics. Answered once every live node applied them, or `timeoutMillis` passed.
///
/// @param validateOnly answer as if, and change nothing
/// @param timeoutMillis how long to wait for the nodes; 0 does not wait
public record CreatePartitions(List<PartitionsSpec> topics, boolean validateOnly, long timeoutMillis)
        implements
            Command<CreatePartitions.Result> {
    public CreatePartitions {
        topics = List.copyOf(topics);
    }

    @Override
    public Class<Result> resultType() {
        return Result.class;
    }

    /// @param topic its name
    /// @param count how many it shall have in all
    /// @param assignments the brokers of each new partition, in their order; empty leaves it to the controller
    public record PartitionsSpec(String topic, int count, List<List<Integer>> assignments) {
        public PartitionsSpec {
            assignments = List.copyOf(assignments);
        }
    }

    /// @param topics one outcome a topic, in the order of the command
    public record Result(List<TopicOutcome> topics) {
        public Result {
            topics = List.copyOf(topics);
        }
    }
}
