package io.millrace.metadata.command;

import java.util.List;

import org.jspecify.annotations.Nullable;

/// Elects leaders anew. Each partition succeeds or fails for itself. Answered once every live node applied the outcome, or
/// `timeoutMillis` passed.
///
/// @param partitions null: all that the election would change something for
/// @param timeoutMillis how long to wait for the nodes; 0 does not wait
public record ElectLeaders(Type type, @Nullable List<TopicPartition> partitions, long timeoutMillis)
        implements
            Command<ElectLeaders.Result> {
    public ElectLeaders {
        partitions = partitions == null ? null : List.copyOf(partitions);
    }

    @Override
    public Class<Result> resultType() {
        return Result.class;
    }

    /// Who is to lead.
    public enum Type {
        /// The first assigned replica, where it is alive and in sync.
        PREFERRED,
        /// Where nobody leads: any replica that is alive, though it may miss acknowledged records.
        UNCLEAN
    }

    /// @param topic its name
    public record TopicPartition(String topic, int partition) {}

    /// @param errorCode Kafka's: ELECTION_NOT_NEEDED, PREFERRED_LEADER_NOT_AVAILABLE, ELIGIBLE_LEADERS_NOT_AVAILABLE,
    ///        UNKNOWN_TOPIC_OR_PARTITION; 0 is success
    /// @param message for people; null where there is nothing to say
    public record Outcome(String topic, int partition, short errorCode, @Nullable String message) {}

    /// @param outcomes one a partition of the command, in its order; of all partitions, those where an election was needed
    public record Result(List<Outcome> outcomes) {
        public Result {
            outcomes = List.copyOf(outcomes);
        }
    }
}
