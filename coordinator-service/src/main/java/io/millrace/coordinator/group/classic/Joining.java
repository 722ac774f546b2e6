package io.millrace.coordinator.group.classic;

import java.util.List;

import io.millrace.coordinator.record.Bytes;
import org.apache.kafka.common.message.JoinGroupRequestData;
import org.apache.kafka.common.protocol.Errors;

/// JoinGroup: who is let in, and whether that makes the group gather anew.
final class Joining {
    private static final int FIRST_WITH_REBALANCE_TIMEOUT = 1;
    private static final int FIRST_WITH_MEMBER_ID_REQUIRED = 4;
    /// A fresh member cannot send heartbeats and its connection is not watched while its request is held. Clients that
    /// gave up and tried again would pile up; after five minutes such a member is let go, and comes again if it lives.
    private static final long FRESH_MEMBER_TIMEOUT_MILLIS = 300_000;

    private Joining() {}

    static void join(Turn turn, GroupEvent.Join event) {
        var refusal = refusal(turn, event.request());
        if (refusal != Errors.NONE) {
            // The id goes back as it came, except that a member without a place has none.
            var memberId = refusal == Errors.GROUP_MAX_SIZE_REACHED ? "" : event.request().memberId();
            turn.answer(event.ticket(), Answers.joinRefused(refusal, memberId));
        } else if (event.request().memberId().isEmpty()) {
            withoutId(turn, event);
        } else {
            withId(turn, event);
        }
    }

    private static Errors refusal(Turn turn, JoinGroupRequestData request) {
        var group = turn.group();
        if (!turn.limits().allowsSession(request.sessionTimeoutMs())) {
            return Errors.INVALID_SESSION_TIMEOUT;
        }
        if (group.phase() instanceof Phase.Dead) {
            return Errors.COORDINATOR_NOT_AVAILABLE;
        }
        if (!hasRoom(group, request.memberId(), turn.limits().maxSize())) {
            return Errors.GROUP_MAX_SIZE_REACHED;
        }
        return group.accepts(request.protocolType(), protocols(request))
                ? Errors.NONE
                : Errors.INCONSISTENT_GROUP_PROTOCOL;
    }

    /// While members gather, the first come are the first served; those of the last generation have no right to a place.
    private static boolean hasRoom(ClassicGroup group, String memberId, int maxSize) {
        var member = group.members().get(memberId);
        return switch (group.phase()) {
            case Phase.Empty(),Phase.Dead() -> true;
            case Phase.Preparing(_) -> (member != null && member.awaitsJoin()) || group.awaitingJoin() < maxSize;
            case Phase.Completing(_),Phase.Stable(_) -> member != null || group.members().size() < maxSize;
        };
    }

    private static void withoutId(Turn turn, GroupEvent.Join event) {
        var request = event.request();
        var instanceId = request.groupInstanceId();
        if (instanceId != null) {
            var newId = instanceId + "-" + event.freshId();
            turn.group().staticMember(instanceId).ifPresentOrElse(
                    former -> StaticRestart.restart(turn, former, newId, event), () -> add(turn, event, newId));
            return;
        }
        var newId = event.client().clientId() + "-" + event.freshId();
        if (event.version() < FIRST_WITH_MEMBER_ID_REQUIRED) {
            add(turn, event, newId);
            return;
        }
        turn.become(turn.group().withPending(turn.group().pending().plus(newId)));
        turn.arm(new Timer.Pending(newId), request.sessionTimeoutMs(), new GroupEvent.PendingExpired(newId));
        turn.answer(event.ticket(), Answers.joinRefused(Errors.MEMBER_ID_REQUIRED, newId));
    }

    private static void withId(Turn turn, GroupEvent.Join event) {
        var group = turn.group();
        var memberId = event.request().memberId();
        if (group.pending().contains(memberId) && event.request().groupInstanceId() == null) {
            turn.disarm(new Timer.Pending(memberId));
            turn.become(group.withPending(group.pending().minus(memberId)));
            add(turn, event, memberId);
            return;
        }
        var stranger = group.identify(memberId, event.request().groupInstanceId());
        var member = group.members().get(memberId);
        if (stranger != Errors.NONE || member == null) {
            turn.answer(event.ticket(), Answers.joinRefused(stranger, memberId));
            return;
        }
        rejoin(turn, event, member);
    }

    private static void rejoin(Turn turn, GroupEvent.Join event, Member member) {
        var group = turn.group();
        boolean sameTerms = member.terms().protocols().equals(protocols(event.request()));
        boolean leader = group.isLeader(member.id());
        boolean known = switch (group.phase()) {
            case Phase.Empty(),Phase.Dead(),Phase.Preparing(_) -> false;
            // It did not get its answer: it is told once more.
            case Phase.Completing(_) -> sameTerms;
            // A leader rejoins to have partitions assigned anew.
            case Phase.Stable(_) -> sameTerms && !leader;
        };
        if (known) {
            turn.keepAlive(member);
            turn.answer(event.ticket(),
                    Answers.joined(group, member, leader && group.phase() instanceof Phase.Completing));
            return;
        }
        var again = turn.release(member, Errors.REBALANCE_IN_PROGRESS).withTerms(terms(event))
                .withWaiting(new Waiting.ForJoin(event.ticket()));
        turn.become(group.with(again));
        Gathering.begin(turn, leader ? "leader rejoined" : "member rejoined with other metadata");
    }

    private static void add(Turn turn, GroupEvent.Join event, String memberId) {
        var request = event.request();
        var member = new Member(memberId, request.groupInstanceId(), event.client(), terms(event), Bytes.EMPTY, true,
                new Waiting.ForJoin(event.ticket()));
        var group = turn.group();
        // An empty group takes the type of whoever comes first.
        var typed = group.members().isEmpty() ? group.ofType(request.protocolType()) : group;
        turn.become(typed.with(member).led(typed.leader() == null ? memberId : typed.leader()));
        turn.arm(new Timer.Session(memberId), FRESH_MEMBER_TIMEOUT_MILLIS, new GroupEvent.SessionExpired(memberId));
        if (group.phase() instanceof Phase.Preparing(var window) && window != null && group.generation() == 0) {
            turn.become(turn.group().at(new Phase.Preparing(grown(window)), group.stateTimestamp()));
        }
        Gathering.begin(turn, "member joined");
    }

    private static Phase.Window grown(Phase.Window window) {
        return new Phase.Window(window.delayMillis(), window.remainingMillis(), true);
    }

    static Member.Terms terms(GroupEvent.Join event) {
        var request = event.request();
        int rebalanceTimeout = event.version() < FIRST_WITH_REBALANCE_TIMEOUT
                ? request.sessionTimeoutMs()
                : request.rebalanceTimeoutMs();
        return new Member.Terms(rebalanceTimeout, request.sessionTimeoutMs(), protocols(request));
    }

    private static List<Protocol> protocols(JoinGroupRequestData request) {
        return request.protocols().stream().map(offer -> new Protocol(offer.name(), Bytes.of(offer.metadata())))
                .toList();
    }
}
