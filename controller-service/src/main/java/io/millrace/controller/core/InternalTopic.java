package io.millrace.controller.core;

import java.util.Map;

/// How a topic is made that coordinators keep their state in.
///
/// @param partitions `offsets.topic.num.partitions`, `transaction.state.log.num.partitions`: the shards
/// @param replicationFactor `offsets.topic.replication.factor`, `transaction.state.log.replication.factor`; the topic
///     waits for as many brokers
/// @param configs its overrides
public record InternalTopic(int partitions, int replicationFactor, Map<String, String> configs) {
    public InternalTopic {
        configs = Map.copyOf(configs);
    }
}
