package io.millrace.controller.topic;

import java.util.List;
import java.util.Map;

/// A topic that may be created.
///
/// @param assignments brokers by partition, the preferred leader first
/// @param configs its valid overrides
public record TopicPlan(String name, List<List<Integer>> assignments, Map<String, String> configs) {
    public TopicPlan {
        assignments = List.copyOf(assignments);
        configs = Map.copyOf(configs);
    }

    /// How many replicas each of its partitions has.
    public int replicationFactor() {
        return assignments.getFirst().size();
    }
}
