package io.millrace.broker.partition;

import java.time.Duration;

import io.millrace.broker.partition.ReplicaRole.Leader;
import io.millrace.metadata.command.AlterPartition.Outcome;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/// How the leader of a partition keeps its ISR right: it looks for followers to take in or out, and what it then proposes is
/// brought to the controller, and the answer back. Any thread may call; of no effect where this broker does not lead.
public final class IsrUpkeep {
    private final Partition partition;
    private final HeldRole held;
    private final Announcements announcements;

    IsrUpkeep(Partition partition, HeldRole held, Announcements announcements) {
        this.partition = partition;
        this.held = held;
        this.announcements = announcements;
    }

    /// Looks for followers that fell behind or may join, and for proposals that are to be repeated.
    public void check() {
        var reign = held.reign();
        if (reign != null) {
            announcements.moved(reign, reign.check());
        }
    }

    /// The metadata know more of its followers: some may join, some need not be waited for.
    void reconsider() {
        var reign = held.reign();
        if (reign != null && held.underReplicated()) {
            announcements.moved(reign, reign.reconsider());
        }
    }

    /// What its leader asks the controller now; null where it does not (any more).
    ///
    /// @param selfEpoch of this broker's registration
    public @Nullable IsrProposal proposal(long selfEpoch) {
        var reign = held.reign();
        return reign == null ? null : reign.proposal(partition, selfEpoch);
    }

    /// What the controller answered.
    ///
    /// @return after which time to call [#check]; null where there is no need to
    public @Nullable Duration answered(IsrProposal proposal, Outcome outcome) {
        var error = Errors.forCode(outcome.errorCode());
        if (error == Errors.NONE) {
            announcements.changed(held.committed(new Leader(outcome.leaderEpoch(), outcome.partitionEpoch(), outcome
                    .isr())));
            return null;
        }
        var reign = held.reign();
        return reign == null ? null : reign.refused(proposal, error);
    }

    /// The controller did not answer; the proposal will be asked for again.
    public void unanswered(IsrProposal proposal) {
        var reign = held.reign();
        if (reign != null) {
            reign.unanswered(proposal);
        }
    }
}
