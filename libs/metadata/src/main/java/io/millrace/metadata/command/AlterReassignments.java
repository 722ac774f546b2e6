package io.millrace.metadata.command;

import java.util.List;

import org.jspecify.annotations.Nullable;

/// Moves partitions to other brokers, or calls such moves off (KIP-455). Answered once the moves have begun and every live
/// node knows of them, or `timeoutMillis` passed; that they are over shows in the metadata.
///
/// @param allowReplicationFactorChange whether a target may have more or fewer replicas than there are (KIP-860)
/// @param validateOnly answer as if, and change nothing
/// @param timeoutMillis how long to wait for the nodes; 0 does not wait
public record AlterReassignments(List<Target> targets, boolean allowReplicationFactorChange, boolean validateOnly,
        long timeoutMillis)
        implements
            Command<AlterReassignments.Result> {
    public AlterReassignments {
        targets = List.copyOf(targets);
    }

    @Override
    public Class<Result> resultType() {
        return Result.class;
    }

    /// Where one partition shall be.
    ///
    /// @param replicas brokers, the preferred leader first; null calls the running move off: back to where it came from
    public record Target(String topic, int partition, @Nullable List<Integer> replicas) {}

    /// What became of one target.
    ///
    /// @param errorCode Kafka's; 0 is success
    /// @param message for people; null where there is nothing to say
    public record Outcome(String topic, int partition, short errorCode, @Nullable String message) {}

    /// @param outcomes one a target, in the order of the command
    public record Result(List<Outcome> outcomes) {
        public Result {
            outcomes = List.copyOf(outcomes);
        }
    }
}
