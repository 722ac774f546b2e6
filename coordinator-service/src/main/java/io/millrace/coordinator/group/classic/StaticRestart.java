package io.millrace.coordinator.group.classic;

import org.apache.kafka.common.message.JoinGroupResponseData;
import org.apache.kafka.common.protocol.Errors;

/// A static member whose process was restarted (KIP-345): it comes without a member id, takes the place of its former
/// self under a new one, and a stable group goes on with the assignment it has.
final class StaticRestart {
    private static final int FIRST_WITH_SKIP_ASSIGNMENT = 9;

    private StaticRestart() {}

    static void restart(Turn turn, Member former, String newId, GroupEvent.Join event) {
        var formerLeader = turn.group().leader() == null ? "" : turn.group().leader();
        var restarted = turn.release(former, Errors.FENCED_INSTANCE_ID).restartedAs(newId, event.client())
                .withTerms(Joining.terms(event));
        turn.disarm(new Timer.Session(former.id()));
        turn.become(replaced(turn.group(), former, restarted));
        turn.keepAlive(restarted);
        var group = turn.group();
        if (group.phase() instanceof Phase.Stable && Gathering.vote(group).equals(group.protocol())) {
            var answer = answer(group, restarted, formerLeader, event.version());
            turn.store(group.snapshot(),
                    new Intent.Restart(group.generation(), former, newId, event.ticket(), answer));
            return;
        }
        turn.become(group.with(restarted.withWaiting(new Waiting.ForJoin(event.ticket()))));
        Gathering.begin(turn, "static member restarted");
    }

    /// A leader that may skip the assignment (KIP-814) learns that it leads; an older one is told that its former self
    /// does, so that it does not assign partitions in a generation that has its assignment.
    private static JoinGroupResponseData answer(ClassicGroup group, Member member, String formerLeader, int version) {
        if (version >= FIRST_WITH_SKIP_ASSIGNMENT) {
            boolean leader = group.isLeader(member.id());
            return Answers.joined(group, member, leader).setSkipAssignment(leader);
        }
        return Answers.joined(group, member, false).setLeader(formerLeader);
    }

    /// It could not be stored: the former id stands again, unless the group has moved on.
    static void undo(Turn turn, Intent.Restart intent, Errors error) {
        var group = turn.group();
        var restarted = group.members().get(intent.newId());
        if (restarted != null && group.phase() instanceof Phase.Stable && group.generation() == intent.generation()) {
            var before = intent.before().withWaiting(Waiting.NOTHING);
            turn.disarm(new Timer.Session(intent.newId()));
            turn.become(replaced(group, restarted, before));
            turn.keepAlive(before);
        }
        turn.answer(intent.ticket(), Answers.joinRefused(error, ""));
    }

    private static ClassicGroup replaced(ClassicGroup group, Member former, Member next) {
        var swapped = group.without(former.id()).with(next);
        var led = group.isLeader(former.id()) ? swapped.led(next.id()) : swapped;
        return switch (led.phase()) {
            case Phase.Completing(var unsynced) when unsynced.contains(former.id()) ->
                led.at(new Phase.Completing(unsynced.minus(former.id()).plus(next.id())), led.stateTimestamp());
            case Phase.Stable(var unsynced) when unsynced.contains(former.id()) ->
                led.at(new Phase.Stable(unsynced.minus(former.id())), led.stateTimestamp());
            case Phase.Empty(),Phase.Preparing(_),Phase.Completing(_),Phase.Stable(_),Phase.Dead() -> led;
        };
    }
}
