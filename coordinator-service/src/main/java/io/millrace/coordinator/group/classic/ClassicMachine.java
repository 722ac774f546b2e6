package io.millrace.coordinator.group.classic;

import io.millrace.coordinator.group.GroupLimits;
import org.apache.kafka.common.protocol.Errors;

/// The classic group protocol: `(group, event) → (next group, effects)`. Rules and error codes are Kafka 3.9's. A group
/// that is not known is [ClassicGroup#empty].
public final class ClassicMachine {
    private final GroupLimits limits;

    /// @param limits what groups may ask for
    public ClassicMachine(GroupLimits limits) {
        this.limits = limits;
    }

    /// @param nowMillis wall time, kept as the time of a change of state
    public Step step(ClassicGroup group, GroupEvent event, long nowMillis) {
        var turn = new Turn(group, limits, nowMillis);
        switch (event) {
            case GroupEvent.Join join -> Joining.join(turn, join);
            case GroupEvent.Sync sync -> Syncing.sync(turn, sync);
            case GroupEvent.Heartbeat heartbeat -> heartbeat(turn, heartbeat);
            case GroupEvent.Leave leave -> Leaving.leave(turn, leave);
            case GroupEvent.Committed(var memberId) -> committed(turn, memberId);
            case GroupEvent.SessionExpired(var memberId) -> Leaving.sessionExpired(turn, memberId);
            case GroupEvent.PendingExpired(var memberId) -> Leaving.pendingExpired(turn, memberId);
            case GroupEvent.GatheringEnded() -> Gathering.ended(turn);
            case GroupEvent.SyncingEnded(var generation) -> Syncing.ended(turn, generation);
            case GroupEvent.Stored(var intent) -> stored(turn, intent);
            case GroupEvent.NotStored(var intent, var error) -> notStored(turn, intent, error);
            case GroupEvent.Converted() -> Gathering.begin(turn, "group changed its protocol");
            case GroupEvent.Loaded() -> group.members().values().forEach(turn::keepAlive);
        }
        return turn.end();
    }

    private static void heartbeat(Turn turn, GroupEvent.Heartbeat event) {
        var group = turn.group();
        var request = event.request();
        turn.answer(event.ticket(), Answers.heartbeat(switch (group.phase()) {
            case Phase.Dead() -> Errors.COORDINATOR_NOT_AVAILABLE;
            case Phase.Empty(),Phase.Preparing(_),Phase.Completing(_),Phase.Stable(_) -> {
                var stranger = group.identify(request.memberId(), request.groupInstanceId());
                if (stranger != Errors.NONE) {
                    yield stranger;
                }
                if (request.generationId() != group.generation()) {
                    yield Errors.ILLEGAL_GENERATION;
                }
                committed(turn, request.memberId());
                yield group.phase() instanceof Phase.Preparing ? Errors.REBALANCE_IN_PROGRESS : Errors.NONE;
            }
        }));
    }

    private static void committed(Turn turn, String memberId) {
        var member = turn.group().members().get(memberId);
        if (member != null) {
            turn.keepAlive(member);
        }
    }

    private static void stored(Turn turn, Intent intent) {
        switch (intent) {
            case Intent.Assign assign -> Syncing.assigned(turn, assign);
            case Intent.Restart restart -> turn.answer(restart.ticket(), restart.answer());
            case Intent.Emptied() -> {
            }
        }
    }

    private static void notStored(Turn turn, Intent intent, Errors error) {
        switch (intent) {
            case Intent.Assign(var generation, _) -> Syncing.notAssigned(turn, generation, error);
            case Intent.Restart restart -> StaticRestart.undo(turn, restart, error);
            case Intent.Emptied() -> {
            }
        }
    }
}
