package io.millrace.admin.reassignment;

import java.util.HashSet;
import java.util.List;

import io.millrace.admin.operation.Operation.Limits;
import io.millrace.admin.problem.Problem;
import io.millrace.metadata.command.AlterReassignments.Target;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import org.jspecify.annotations.Nullable;

/// Either of the two: a plan, or partitions.
///
/// @param planId of `POST …/reassignments:plan`
/// @param throttleBytesPerSec that each broker copies; null: as fast as it goes
/// @param maxPartitionsPerBroker copies that a broker takes at a time; null: 10
/// @param allowReplicationFactorChange false: a target must have as many replicas as there are; true where left out
/// @param validateOnly check everything, move nothing
@Schema(example = """
        {"partitions": [{"topic_name": "orders", "partition_id": 0, "replicas": [0]}], "validate_only": true}""")
record ReassignmentRequest(
        @Nullable @Size(max = 80) String planId,
        @Nullable @Size(min = 1, max = 5_000) List<@NotNull @Valid PartitionTarget> partitions,
        @Nullable @Min(1) Long throttleBytesPerSec,
        @Nullable @Min(1) @Max(1_000) Integer maxPartitionsPerBroker,
        @Nullable Boolean allowReplicationFactorChange,
        @Nullable Boolean validateOnly) {
    /// @param replicas brokers, the preferred leader first
    record PartitionTarget(@NotBlank @Size(max = 249) String topicName, @NotNull Integer partitionId,
            @NotEmpty @Size(max = 1_000) List<@NotNull Integer> replicas) {}

    /// @throws Problem where a partition is named twice
    List<Target> targets() {
        if (partitions == null || planId != null) {
            throw Problem.badRequest("either plan_id or partitions");
        }
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

    Limits limits() {
        return new Limits(throttleBytesPerSec, maxPartitionsPerBroker == null
                ? Limits.DEFAULTS.maxPartitionsPerBroker()
                : maxPartitionsPerBroker);
    }

    boolean replicationFactorMayChange() {
        return !Boolean.FALSE.equals(allowReplicationFactorChange);
    }

    boolean onlyValidated() {
        return Boolean.TRUE.equals(validateOnly);
    }
}
