package io.millrace.coordinator.group.consumer;

import java.util.function.BiPredicate;

import io.millrace.coordinator.record.MemberAssignment;
import io.millrace.coordinator.record.MemberAssignment.State;
import io.millrace.coordinator.record.Partitions;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;

/// A member's next step to its target, when it reports.
///
///     STABLE ──► UNREVOKED     it holds what is no longer its own: it is told, and stays in its epoch
///       ▲            │ it says that it gave that up
///       │            ▼
///       └─────── UNRELEASED    it is in the target's epoch, and waits for what others still hold
final class Reconciliation {
    private final Partitions target;
    private final int targetEpoch;
    private final BiPredicate<Uuid, Integer> heldByOther;

    /// @param heldByOther whether a member other than this one holds a partition
    Reconciliation(Partitions target, int targetEpoch, BiPredicate<Uuid, Integer> heldByOther) {
        this.target = target;
        this.targetEpoch = targetEpoch;
        this.heldByOther = heldByOther;
    }

    /// @param owned what the member says it has; null where it did not say
    /// @return the same where there is nothing to do yet
    MemberAssignment next(MemberAssignment now, @Nullable Partitions owned) {
        return switch (now.state()) {
            case STABLE -> now.epoch() == targetEpoch ? now : advance(now, owned);
            case UNREVOKED -> owned == null || !owned.isDisjoint(now.pendingRevocation()) ? now : advance(now, owned);
            case UNRELEASED -> advance(now, owned);
        };
    }

    private MemberAssignment advance(MemberAssignment now, @Nullable Partitions owned) {
        var kept = now.assigned().and(target);
        var revoked = now.assigned().minus(target);
        var wanted = target.minus(now.assigned());
        var free = wanted.filter(heldByOther.negate());
        if (!revoked.isEmpty() && (owned == null || !owned.isDisjoint(revoked))) {
            return new MemberAssignment(now.epoch(), now.epoch(), State.UNREVOKED, kept, revoked);
        }
        var state = free.size() == wanted.size() ? State.STABLE : State.UNRELEASED;
        var assigned = kept.plus(free);
        // Nothing changes for one that waits and finds nothing released.
        return state == now.state() && now.epoch() == targetEpoch && assigned.equals(now.assigned())
                && now.pendingRevocation().isEmpty()
                        ? now
                        : new MemberAssignment(targetEpoch, now.epoch(), state, assigned, Partitions.NONE);
    }
}
