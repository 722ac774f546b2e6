package io.millrace.admin.topic;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.millrace.admin.problem.Problem;
import io.millrace.metadata.command.CreateTopics;
import io.millrace.metadata.command.CreateTopics.NewTopic;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import org.jspecify.annotations.Nullable;

/// @param partitionsCount null: the cluster's `num.partitions`
/// @param replicationFactor null: the cluster's `default.replication.factor`
/// @param replicasAssignments which brokers hold which partition; instead of the two counts
/// @param validateOnly check everything, create nothing
@Schema(example = """
        {"topic_name": "orders", "partitions_count": 3, "replication_factor": 1, \
        "configs": [{"name": "retention.ms", "value": "3600000"}], "validate_only": false}""")
record CreateTopicRequest(
        @NotBlank String topicName,
        @Nullable Integer partitionsCount,
        @Nullable Integer replicationFactor,
        @Nullable List<@NotNull @Valid ReplicasAssignment> replicasAssignments,
        @Nullable List<@NotNull @Valid ConfigEntry> configs,
        @Nullable Boolean validateOnly) {
    /// @param brokerIds the preferred leader first
    record ReplicasAssignment(@NotNull Integer partitionId, @NotNull List<@NotNull Integer> brokerIds) {}

    record ConfigEntry(@NotBlank String name,
            @NotNull String value) {}

    NewTopic toCommand() {
        return new NewTopic(topicName, partitionsCount == null ? CreateTopics.DEFAULT : partitionsCount,
                replicationFactor == null ? CreateTopics.DEFAULT : replicationFactor, assignments(), configurations());
    }

    private Map<Integer, List<Integer>> assignments() {
        return replicasAssignments == null
                ? Map.of()
                : replicasAssignments.stream().collect(Collectors.toMap(ReplicasAssignment::partitionId,
                        ReplicasAssignment::brokerIds, (_, _) -> {
                            throw Problem.badRequest("replicas_assignments names a partition twice");
                        }));
    }

    private Map<String, String> configurations() {
        return configs == null
                ? Map.of()
                : configs.stream().collect(Collectors.toMap(ConfigEntry::name, ConfigEntry::value, (_, _) -> {
                    throw Problem.badRequest("configs names a key twice");
                }));
    }
}
