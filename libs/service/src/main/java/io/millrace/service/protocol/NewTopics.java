package io.millrace.service.protocol;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.millrace.metadata.command.CreateTopics;
import io.millrace.metadata.command.CreateTopics.NewTopic;
import io.millrace.service.config.TopicSettings;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopic;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/// A new topic as a request describes it: what is wrong with it, or what the controller is asked for. **pure**
final class NewTopics {
    private NewTopics() {}

    /// Why a topic is refused.
    record Problem(Errors error, String message) {}

    /// What is wrong whatever the cluster looks like; empty where nothing is.
    static Optional<Problem> problem(CreatableTopic topic) {
        return TopicNames.problem(topic.name()).map(text -> new Problem(Errors.INVALID_TOPIC_EXCEPTION, text))
                .or(() -> topic.assignments().isEmpty() ? problemOfCounts(topic) : problemOfAssignments(topic))
                .or(() -> problemOfConfigs(topic));
    }

    private static Optional<Problem> problemOfCounts(CreatableTopic topic) {
        if (topic.numPartitions() <= 0 && topic.numPartitions() != CreateTopics.DEFAULT) {
            return problem(Errors.INVALID_PARTITIONS,
                    "Number of partitions was set to an invalid non-positive value.");
        }
        if (topic.replicationFactor() <= 0 && topic.replicationFactor() != CreateTopics.DEFAULT) {
            return problem(Errors.INVALID_REPLICATION_FACTOR,
                    "Replication factor was set to an invalid non-positive value.");
        }
        return Optional.empty();
    }

    private static Optional<Problem> problemOfAssignments(CreatableTopic topic) {
        if (topic.numPartitions() != CreateTopics.DEFAULT || topic.replicationFactor() != CreateTopics.DEFAULT) {
            return problem(Errors.INVALID_REQUEST, "Both numPartitions or replicationFactor and replicasAssignments "
                    + "were set. Both cannot be used at the same time.");
        }
        var partitions = new HashSet<Integer>();
        for (var assignment : topic.assignments()) {
            if (!partitions.add(assignment.partitionIndex())) {
                return problem(Errors.INVALID_REPLICA_ASSIGNMENT,
                        "Found multiple manual partition assignments for partition " + assignment.partitionIndex());
            }
        }
        return Optional.empty();
    }

    private static Optional<Problem> problemOfConfigs(CreatableTopic topic) {
        var names = new HashSet<String>();
        for (var config : topic.configs()) {
            if (!names.add(config.name())) {
                return problem(Errors.INVALID_REQUEST, "Error due to duplicate config keys");
            }
        }
        return TopicSettings.validate(nullableConfigs(topic)).stream().findFirst()
                .map(invalid -> new Problem(invalid.error(), invalid.message()));
    }

    private static Optional<Problem> problem(Errors error, String message) {
        return Optional.of(new Problem(error, message));
    }

    /// A topic without a [#problem] as the controller is asked for it.
    static NewTopic of(CreatableTopic topic) {
        var assignments = new HashMap<Integer, List<Integer>>();
        topic.assignments().forEach(
                assignment -> assignments.put(assignment.partitionIndex(), List.copyOf(assignment.brokerIds())));
        return new NewTopic(topic.name(), topic.numPartitions(), topic.replicationFactor(), assignments,
                configs(topic));
    }

    /// The settings of a topic without a [#problem].
    static Map<String, String> configs(CreatableTopic topic) {
        var configs = new HashMap<String, String>();
        topic.configs().forEach(config -> configs.put(config.name(), config.value()));
        return configs;
    }

    private static Map<String, @Nullable String> nullableConfigs(CreatableTopic topic) {
        var configs = new HashMap<String, @Nullable String>();
        topic.configs().forEach(config -> configs.put(config.name(), config.value()));
        return configs;
    }
}
