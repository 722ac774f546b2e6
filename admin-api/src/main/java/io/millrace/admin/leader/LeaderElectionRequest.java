package io.millrace.admin.leader;

import java.util.List;

import io.millrace.admin.problem.Problem;
import io.millrace.metadata.command.ElectLeaders;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import org.jspecify.annotations.Nullable;

/// @param electionType `PREFERRED` or `UNCLEAN`
/// @param partitions which; together with `topics` null: all of the cluster
/// @param topics all partitions of these
/// @param acceptDataLoss must be true with `UNCLEAN`: a replica that leads so may miss acknowledged records
@Schema(example = """
        {"election_type": "PREFERRED", "partitions": [{"topic_name": "orders", "partition_id": 0}]}""")
record LeaderElectionRequest(
        @NotNull ElectionType electionType,
        @Nullable List<@NotNull @Valid PartitionName> partitions,
        @Nullable List<@NotBlank String> topics,
        @Nullable Boolean acceptDataLoss) {
    /// Who is to lead.
    enum ElectionType {
        PREFERRED, UNCLEAN
    }

    record PartitionName(@NotBlank String topicName, @NotNull Integer partitionId) {}

    /// @throws Problem where an unclean election does not name its partitions or does not accept what it may cost
    void check() {
        if (electionType == ElectionType.UNCLEAN) {
            if (partitions == null || partitions.isEmpty()) {
                throw Problem.badRequest("an UNCLEAN election names its partitions");
            }
            if (!Boolean.TRUE.equals(acceptDataLoss)) {
                throw Problem.badRequest("an UNCLEAN election may lose records: accept_data_loss must be true");
            }
        }
    }

    ElectLeaders.Type type() {
        return switch (electionType) {
            case PREFERRED -> ElectLeaders.Type.PREFERRED;
            case UNCLEAN -> ElectLeaders.Type.UNCLEAN;
        };
    }

    boolean ofAll() {
        return partitions == null && topics == null;
    }
}
