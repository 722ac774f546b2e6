package io.millrace.metadata.command;

import java.util.List;
import java.util.Map;

/// Creates topics. Answered once every live node applied them, or `timeoutMillis` passed.
///
/// @param validateOnly answer as if, and change nothing
/// @param timeoutMillis how long to wait for the nodes; 0 does not wait
public record CreateTopics(List<NewTopic> topics, boolean validateOnly, long timeoutMillis)
        implements
            Command<CreateTopics.Result> {
    /// In place of a number that the controller's defaults decide.
    public static final int DEFAULT = -1;

    public CreateTopics {
        topics = List.copyOf(topics);
    }

    @Override
    public Class<Result> resultType() {
        return Result.class;
    }

    /// @param name of the topic, not yet validated
    /// @param partitions how many; [#DEFAULT] leaves it to `num.partitions`, or `assignments` say
    /// @param replicationFactor [#DEFAULT] leaves it to `default.replication.factor`, or `assignments` say
    /// @param assignments the brokers of each partition, preferred leader first; empty leaves it to the controller
    /// @param configs of the topic, not yet validated
    public record NewTopic(String name, int partitions, int replicationFactor, Map<Integer, List<Integer>> assignments,
            Map<String, String> configs) {
        public NewTopic {
            assignments = Map.copyOf(assignments);
            configs = Map.copyOf(configs);
        }
    }

    /// @param topics one outcome a topic, in the order of the command
    public record Result(List<TopicOutcome> topics) {
        public Result {
            topics = List.copyOf(topics);
        }
    }
}
