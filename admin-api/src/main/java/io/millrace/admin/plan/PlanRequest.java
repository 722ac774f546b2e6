package io.millrace.admin.plan;

import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

import io.millrace.admin.problem.Problem;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/// @param brokers those that are added or removed
/// @param topics which; with `topic_pattern` null too: all
/// @param topicPattern a regular expression that whole names match
/// @param maxMoves at most so many partitions
/// @param keepLeaders whether leaders stay where they are, if that can be
/// @param throttleBytesPerSec for the estimated time
/// @param partitions of a CUSTOM plan
@Schema(example = "{\"goal\": \"SPREAD_RACKS\", \"topics\": [\"orders\"], \"throttle_bytes_per_sec\": 50000000}")
record PlanRequest(
        @NotNull Goal goal,
        @Nullable @Size(max = 1_000) List<@NotNull Integer> brokers,
        @Nullable @Size(max = 10_000) List<@NotBlank String> topics,
        @Nullable @Size(max = 1_000) String topicPattern,
        @Nullable @Min(1) @Max(1_000) Integer replicationFactor,
        @Nullable @Min(1) Integer maxMoves,
        @Nullable Boolean keepLeaders,
        @Nullable @Min(1) Long throttleBytesPerSec,
        @Nullable @Size(max = 5_000) List<@NotNull @Valid PartitionTarget> partitions) {

    /// What a plan is for.
    enum Goal {
        ADD_BROKERS, REMOVE_BROKERS, CHANGE_RF, SPREAD_RACKS, BALANCE_TOPIC, CUSTOM
    }

    /// @param replicas the preferred leader first
    record PartitionTarget(@NotBlank @Size(max = 249) String topicName, @NotNull Integer partitionId,
            @NotEmpty @Size(max = 1_000) List<@NotNull Integer> replicas) {}

    static final int MOST_MOVES = 5_000;

    int limit() {
        return maxMoves == null ? MOST_MOVES : Math.min(MOST_MOVES, maxMoves);
    }

    boolean leadersStay() {
        return Boolean.TRUE.equals(keepLeaders);
    }

    List<Integer> requiredBrokers() {
        if (brokers == null || brokers.isEmpty()) {
            throw Problem.badRequest("brokers must not be empty for this goal");
        }
        return brokers;
    }

    /// @throws Problem where the pattern is none
    java.util.function.Predicate<TopicPartition> which() {
        try {
            var pattern = topicPattern == null ? null : Pattern.compile(topicPattern);
            return partition -> (topics == null && pattern == null) || (topics != null && topics.contains(partition
                    .topic())) || (pattern != null && pattern.matcher(partition.topic()).matches());
        } catch (PatternSyntaxException invalid) {
            throw Problem.badRequest("topic_pattern: " + invalid.getDescription());
        }
    }
}
