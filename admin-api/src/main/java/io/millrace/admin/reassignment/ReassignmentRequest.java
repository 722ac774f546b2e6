package io.millrace.admin.reassignment;

import java.util.HashSet;
import java.util.List;

import io.millrace.admin.problem.Problem;
import io.millrace.metadata.command.AlterReassignments.Target;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.NotNull;
import org.jspecify.annotations.Nullable;

/// @param allowReplicationFactorChange false: a target must have as many replicas as there are; true where left out
/// @param validateOnly check everything, move nothing
@Schema(example = """
        {"partitions": [{"topic_name": "orders", "partition_id": 0, "replicas": [0]}], "validate_only": true}""")
record ReassignmentRequest(
        @NotEmpty List<@NotNull @Valid PartitionTarget> partitions,
        @Nullable Boolean allowReplicationFactorChange,
        @Nullable Boolean validateOnly) {
    /// @param replicas brokers, the preferred leader first
    record PartitionTarget(@NotBlank String topicName, @NotNull Integer partitionId,
            @NotEmpty List<@NotNull Integer> replicas) {}

    /// @throws Problem where a partition is named twice
    List<Target> targets() {
        var targets = partitions.stream().map(wanted -> new Target(wanted.topicName(), wanted.partitionId(), wanted
                .replicas())).toList();
        var seen = new HashSet<String>();
        for (var target : targets) {
            if (!seen.add(target.topic() + "-" + target.partition())) {
                throw Problem.badRequest("partitions names %s-%d twice".formatted(target.topic(), target.partition()));
            }
        }
        return targets;
    }

    List<Integer> replicasOf(Target target) {
        var replicas = target.replicas();
        return replicas == null ? List.of() : replicas;
    }

    boolean replicationFactorMayChange() {
        return !Boolean.FALSE.equals(allowReplicationFactorChange);
    }

    boolean onlyValidated() {
        return Boolean.TRUE.equals(validateOnly);
    }
}
