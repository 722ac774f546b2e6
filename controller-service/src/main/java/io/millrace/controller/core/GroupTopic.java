package io.millrace.controller.core;

import java.util.Map;

/// How the topic is made that keeps the offsets of consumer groups.
///
/// @param partitions `offsets.topic.num.partitions`: the shards of the groups
/// @param replicationFactor `offsets.topic.replication.factor`; the topic waits for as many brokers
/// @param configs its overrides
public record GroupTopic(int partitions, int replicationFactor, Map<String, String> configs) {
    public GroupTopic {
        configs = Map.copyOf(configs);
    }
}
