package io.millrace.broker.partition;

import java.util.List;
import java.util.Objects;

import io.millrace.metadata.command.AlterPartition.InSync;
import io.millrace.metadata.command.AlterPartition.Outcome;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/// Answers proposals as a controller would.
public final class Proposals {
    private Proposals() {}

    static List<Integer> isr(@Nullable IsrProposal proposal) {
        return Objects.requireNonNull(proposal, "nothing is proposed").proposal().isr().stream().map(InSync::broker)
                .toList();
    }

    /// Takes it over.
    static void accept(@Nullable IsrProposal proposal, int partitionEpoch) {
        var asked = Objects.requireNonNull(proposal, "nothing is proposed");
        asked.partition().isr().answered(asked, accepted(asked, partitionEpoch));
    }

    /// The answer that it is in force.
    public static Outcome accepted(IsrProposal asked, int partitionEpoch) {
        return new Outcome(asked.proposal().topicId(), asked.proposal().partition(), Errors.NONE.code(), 1, asked
                .proposal().leaderEpoch(), partitionEpoch, isr(asked));
    }

    static Outcome refused(IsrProposal asked, Errors error) {
        return Outcome.refused(asked.proposal(), error.code());
    }
}
