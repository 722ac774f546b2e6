package io.millrace.coordinator.group.classic;

import org.apache.kafka.common.message.LeaveGroupRequestData.MemberIdentity;
import org.apache.kafka.common.message.LeaveGroupResponseData;
import org.apache.kafka.common.message.LeaveGroupResponseData.MemberResponse;
import org.apache.kafka.common.protocol.Errors;

/// Members that go, by their own will or not.
final class Leaving {
    private Leaving() {}

    static void leave(Turn turn, GroupEvent.Leave event) {
        var response = new LeaveGroupResponseData();
        if (turn.group().phase() instanceof Phase.Dead) {
            turn.answer(event.ticket(), response.setErrorCode(Errors.COORDINATOR_NOT_AVAILABLE.code()));
            return;
        }
        for (var identity : event.request().members()) {
            response.members().add(new MemberResponse().setMemberId(identity.memberId())
                    .setGroupInstanceId(identity.groupInstanceId()).setErrorCode(leave(turn, identity).code()));
        }
        turn.answer(event.ticket(), response);
    }

    private static Errors leave(Turn turn, MemberIdentity identity) {
        var group = turn.group();
        var memberId = identity.memberId();
        if (identity.groupInstanceId() == null && group.pending().contains(memberId)) {
            turn.disarm(new Timer.Pending(memberId));
            pendingExpired(turn, memberId);
            return Errors.NONE;
        }
        // An operator removes a static member by its instance id alone.
        if (identity.groupInstanceId() != null && memberId.isEmpty()) {
            var member = group.staticMember(identity.groupInstanceId());
            member.ifPresent(found -> remove(turn, found, "member was removed"));
            return member.isPresent() ? Errors.NONE : Errors.UNKNOWN_MEMBER_ID;
        }
        var stranger = group.identify(memberId, identity.groupInstanceId());
        var member = group.members().get(memberId);
        if (stranger == Errors.NONE && member != null) {
            remove(turn, member, "member left");
        }
        return stranger;
    }

    static void sessionExpired(Turn turn, String memberId) {
        var member = turn.group().members().get(memberId);
        // Whoever waits for an answer cannot send heartbeats; the session begins anew with the answer. A fresh member is
        // the exception, see Joining.
        if (member != null && (member.fresh() || member.waiting() instanceof Waiting.Nothing)) {
            remove(turn, member, "session expired");
        }
    }

    static void pendingExpired(Turn turn, String memberId) {
        turn.become(turn.group().withPending(turn.group().pending().minus(memberId)));
        Gathering.endIfComplete(turn);
    }

    private static void remove(Turn turn, Member member, String why) {
        turn.disarm(new Timer.Session(member.id()));
        turn.release(member, Errors.UNKNOWN_MEMBER_ID);
        turn.become(removed(turn.group(), member.id()));
        Gathering.begin(turn, why);
    }

    /// Without the member; the oldest of the rest leads where it led.
    static ClassicGroup removed(ClassicGroup group, String memberId) {
        var rest = group.without(memberId);
        return group.isLeader(memberId) ? rest.led(rest.members().keySet().stream().findFirst().orElse(null)) : rest;
    }
}
