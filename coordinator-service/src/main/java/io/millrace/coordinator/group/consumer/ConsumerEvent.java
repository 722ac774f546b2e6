package io.millrace.coordinator.group.consumer;

import io.millrace.coordinator.group.ClientIdentity;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData;
import org.apache.kafka.common.message.HeartbeatRequestData;
import org.apache.kafka.common.message.JoinGroupRequestData;
import org.apache.kafka.common.message.LeaveGroupRequestData;
import org.apache.kafka.common.message.SyncGroupRequestData;

/// What happens to a consumer group. A `ticket` names the request that a [ConsumerEffect.Answer] belongs to.
public sealed interface ConsumerEvent {
    /// In place of a ticket.
    long NO_TICKET = 0;

    /// Of the request that waits for an answer; [#NO_TICKET] where none does.
    default long ticketOrNone() {
        return switch (this) {
            case Heartbeat heartbeat -> heartbeat.ticket();
            case ClassicJoin join -> join.ticket();
            case ClassicSync sync -> sync.ticket();
            case ClassicHeartbeat heartbeat -> heartbeat.ticket();
            case ClassicLeave leave -> leave.ticket();
            case ClassicExpired _,SessionExpired _,RevocationExpired _,Loaded _ -> NO_TICKET;
        };
    }

    /// ConsumerGroupHeartbeat, which passed [HeartbeatChecks].
    ///
    /// @param freshId a member id, should one be needed
    record Heartbeat(long ticket, ConsumerGroupHeartbeatRequestData request, ClientIdentity client, String freshId)
            implements
                ConsumerEvent {}

    /// JoinGroup of a classic member.
    ///
    /// @param freshId the random part of a member id, should one be needed
    record ClassicJoin(long ticket, JoinGroupRequestData request, int version, ClientIdentity client, String freshId)
            implements
                ConsumerEvent {}

    /// SyncGroup of a classic member.
    record ClassicSync(long ticket, SyncGroupRequestData request) implements ConsumerEvent {}

    /// Heartbeat of a classic member.
    record ClassicHeartbeat(long ticket, HeartbeatRequestData request) implements ConsumerEvent {}

    /// LeaveGroup, in the form of version 3 and up: a list of members.
    record ClassicLeave(long ticket, LeaveGroupRequestData request) implements ConsumerEvent {}

    /// [ConsumerTimer.Rejoin] or [ConsumerTimer.Sync] ran out.
    record ClassicExpired(String memberId, String why) implements ConsumerEvent {}

    /// [ConsumerTimer.Session] ran out.
    record SessionExpired(String memberId) implements ConsumerEvent {}

    /// [ConsumerTimer.Revocation] ran out.
    ///
    /// @param epoch of the member when it was told to give something up
    record RevocationExpired(String memberId, int epoch) implements ConsumerEvent {}

    /// The group was loaded from its shard: its members' sessions begin anew.
    record Loaded() implements ConsumerEvent {}
}
