package io.millrace.broker.partition;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.millrace.broker.partition.IsrProposing.Asked;
import io.millrace.broker.partition.IsrProposing.Declined;
import io.millrace.broker.partition.IsrProposing.Idle;
import io.millrace.broker.partition.ReplicaRole.Leader;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/// The ISR of a reign, as its leader can know it: the last one that is known to be in force, and what the leader has proposed
/// since. Guarded by the leader's monitor.
final class IsrClaim {
    private static final Duration FIRST_RETRY = Duration.ofSeconds(1);
    private static final int MOST_DOUBLINGS = 5;
    private static final Set<Errors> SURE = Set.of(Errors.INELIGIBLE_REPLICA, Errors.OPERATION_NOT_ATTEMPTED,
            Errors.INVALID_REQUEST);

    private Leader known;
    private IsrProposing proposing = new Idle();
    private final Set<Integer> maximal;

    IsrClaim(Leader known) {
        this.known = known;
        this.maximal = new HashSet<>(known.isr());
    }

    /// The last state that is known to be in force.
    Leader known() {
        return known;
    }

    List<Integer> isr() {
        return known.isr();
    }

    /// All that may be in the ISR that is in force: the last one known, and what was proposed since without an answer that
    /// says no for sure.
    Set<Integer> maximal() {
        return maximal;
    }

    /// The controller says so. An older state changes nothing; a newer one answers what was proposed.
    void told(Leader newer) {
        if (newer.partitionEpoch() > known.partitionEpoch()) {
            known = newer;
            proposing = new Idle();
            forgetProposed();
        }
    }

    /// Whether something may be proposed now.
    boolean mayPropose(long nowNanos) {
        return switch (proposing) {
            case Idle() -> true;
            case Asked _ -> false;
            case Declined declined -> nowNanos - declined.retryNanos() >= 0;
        };
    }

    /// The leader thinks that `next` is in sync.
    ///
    /// @return whether there is something to ask the controller
    boolean propose(List<Integer> next) {
        // Where something may be in force that nobody wants any more, what is wanted is asked for to find that out.
        boolean unclear = maximal.size() > known.isr().size();
        if (next.equals(known.isr()) && !unclear) {
            return false;
        }
        proposing = new Asked(next, proposing instanceof Declined declined ? declined.tries() : 0, false);
        maximal.addAll(next);
        return true;
    }

    /// What the controller is asked; null where it is not (any more).
    @Nullable
    Asked asked() {
        return proposing instanceof Asked asked ? asked : null;
    }

    /// The controller refused what was asked.
    ///
    /// @return after which time to look again; null where the answer comes too late to matter
    @Nullable
    Duration refused(IsrProposal proposal, Errors error, long nowNanos) {
        if (!stands(proposal)) {
            return null;
        }
        var asked = proposal.asked();
        // Refused for what it is, and not asked before: then it is not in force. All else may be the answer to a repeat.
        if (SURE.contains(error) && !asked.unanswered() && asked.tries() == 0) {
            forgetProposed();
        }
        var wait = FIRST_RETRY.multipliedBy(1L << Math.min(asked.tries(), MOST_DOUBLINGS));
        proposing = new Declined(asked.tries() + 1, nowNanos + wait.toNanos());
        return wait;
    }

    /// Whether the controller has carried out what was asked is not known; it will be asked again.
    void unanswered(IsrProposal proposal) {
        if (stands(proposal)) {
            var asked = proposal.asked();
            proposing = new Asked(asked.isr(), asked.tries(), true);
        }
    }

    private boolean stands(IsrProposal proposal) {
        return proposal.asked().equals(proposing) && known.partitionEpoch() == proposal.proposal().partitionEpoch();
    }

    private void forgetProposed() {
        maximal.clear();
        maximal.addAll(known.isr());
    }
}
