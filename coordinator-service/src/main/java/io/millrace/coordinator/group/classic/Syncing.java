package io.millrace.coordinator.group.classic;

import java.util.HashMap;
import java.util.Map;

import io.millrace.coordinator.record.Bytes;
import org.apache.kafka.common.message.SyncGroupRequestData;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;
import org.pcollections.OrderedPSet;
import org.pcollections.PSet;

/// The second half of a rebalance: the leader brings the assignment, it is stored, and everybody gets its part.
final class Syncing {
    private Syncing() {}

    static void sync(Turn turn, GroupEvent.Sync event) {
        var group = turn.group();
        var request = event.request();
        var member = group.members().get(request.memberId());
        var refusal = refusal(group, request);
        if (refusal != Errors.NONE || member == null) {
            turn.answer(event.ticket(), Answers.syncRefused(refusal));
            return;
        }
        switch (group.phase()) {
            case Phase.Preparing(_) ->
                turn.answer(event.ticket(), Answers.syncRefused(Errors.REBALANCE_IN_PROGRESS));
            case Phase.Completing(var unsynced) -> await(turn, event, member, unsynced);
            case Phase.Stable(var unsynced) -> {
                turn.become(group.at(new Phase.Stable(unsynced.minus(member.id())), group.stateTimestamp()));
                disarmIfAllSynced(turn, unsynced.minus(member.id()));
                turn.keepAlive(member);
                turn.answer(event.ticket(), Answers.synced(group, member.assignment()));
            }
            // Not reached: a member is known, so the group is not empty.
            case Phase.Empty(),Phase.Dead() ->
                turn.answer(event.ticket(), Answers.syncRefused(Errors.UNKNOWN_MEMBER_ID));
        }
    }

    private static Errors refusal(ClassicGroup group, SyncGroupRequestData request) {
        if (group.phase() instanceof Phase.Dead) {
            return Errors.COORDINATOR_NOT_AVAILABLE;
        }
        var stranger = group.identify(request.memberId(), request.groupInstanceId());
        if (stranger != Errors.NONE) {
            return stranger;
        }
        if (request.generationId() != group.generation()) {
            return Errors.ILLEGAL_GENERATION;
        }
        boolean consistent = agrees(request.protocolType(), group.protocolType())
                && agrees(request.protocolName(), group.protocol());
        return consistent ? Errors.NONE : Errors.INCONSISTENT_GROUP_PROTOCOL;
    }

    private static boolean agrees(@Nullable String said, @Nullable String known) {
        return said == null || said.equals(known);
    }

    private static void await(Turn turn, GroupEvent.Sync event, Member member, PSet<String> unsynced) {
        var left = unsynced.minus(member.id());
        var waiting = turn.release(member, Errors.REBALANCE_IN_PROGRESS)
                .withWaiting(new Waiting.ForSync(event.ticket()));
        var group = turn.group().with(waiting).at(new Phase.Completing(left), turn.group().stateTimestamp());
        turn.become(group);
        disarmIfAllSynced(turn, left);
        if (group.isLeader(member.id())) {
            var assignments = assignments(group, event.request());
            turn.store(group.snapshot(assignments), new Intent.Assign(group.generation(), assignments));
        }
    }

    /// Members that the leader passed over get nothing; those it made up are passed over.
    private static Map<String, Bytes> assignments(ClassicGroup group, SyncGroupRequestData request) {
        Map<String, Bytes> assignments = new HashMap<>();
        group.members().keySet().forEach(member -> assignments.put(member, Bytes.EMPTY));
        for (var assignment : request.assignments()) {
            assignments.replace(assignment.memberId(), Bytes.of(assignment.assignment()));
        }
        return assignments;
    }

    private static void disarmIfAllSynced(Turn turn, PSet<String> unsynced) {
        if (unsynced.isEmpty()) {
            turn.disarm(new Timer.Syncing());
        }
    }

    /// The assignment is durable. Where the group began to gather meanwhile it is of no use to anybody.
    static void assigned(Turn turn, Intent.Assign intent) {
        if (!(turn.group().phase() instanceof Phase.Completing(var unsynced))
                || intent.generation() != turn.group().generation()) {
            return;
        }
        turn.enter(new Phase.Stable(unsynced), "assignment stored");
        var group = turn.group();
        turn.become(group.withEach(member -> {
            var assignment = intent.assignments().getOrDefault(member.id(), Bytes.EMPTY);
            var given = member.withAssignment(assignment);
            if (!(member.waiting() instanceof Waiting.ForSync(var ticket))) {
                return given;
            }
            turn.answer(ticket, Answers.synced(group, assignment));
            turn.keepAlive(member);
            return given.withWaiting(Waiting.NOTHING);
        }));
    }

    /// The assignment could not be stored: those who wait are told, and all are to join again.
    static void notAssigned(Turn turn, int generation, Errors error) {
        if (!(turn.group().phase() instanceof Phase.Completing) || generation != turn.group().generation()) {
            return;
        }
        turn.become(turn.group().withEach(member -> {
            if (!(member.waiting() instanceof Waiting.ForSync)) {
                return member;
            }
            turn.keepAlive(member);
            return turn.release(member, error);
        }));
        Gathering.begin(turn, "assignment not stored: " + error);
    }

    /// Members that never sent SyncGroup are gone, though their heartbeats may come.
    static void ended(Turn turn, int generation) {
        if (generation != turn.group().generation()) {
            return;
        }
        var unsynced = switch (turn.group().phase()) {
            case Phase.Completing(var members) -> members;
            case Phase.Stable(var members) -> members;
            case Phase.Empty(),Phase.Preparing(_),Phase.Dead() -> OrderedPSet.<String>empty();
        };
        if (unsynced.isEmpty()) {
            return;
        }
        for (var memberId : unsynced) {
            turn.disarm(new Timer.Session(memberId));
            turn.become(Leaving.removed(turn.group(), memberId));
        }
        Gathering.begin(turn, "members did not sync");
    }
}
