package io.millrace.coordinator.group.classic;

import io.millrace.coordinator.group.ClientIdentity;
import org.apache.kafka.common.message.HeartbeatRequestData;
import org.apache.kafka.common.message.JoinGroupRequestData;
import org.apache.kafka.common.message.LeaveGroupRequestData;
import org.apache.kafka.common.message.SyncGroupRequestData;
import org.apache.kafka.common.protocol.Errors;

/// What happens to a classic group. A `ticket` names the request that an [Effect.Answer] belongs to.
public sealed interface GroupEvent {
    /// JoinGroup.
    ///
    /// @param version of the request: 4 and up learn their id first, 9 and up can be told to skip the assignment
    /// @param freshId the random part of a member id, should one be needed
    record Join(long ticket, JoinGroupRequestData request, int version, ClientIdentity client, String freshId)
            implements
                GroupEvent {}

    /// SyncGroup.
    record Sync(long ticket, SyncGroupRequestData request) implements GroupEvent {}

    /// Heartbeat.
    record Heartbeat(long ticket, HeartbeatRequestData request) implements GroupEvent {}

    /// LeaveGroup, in the form of version 3 and up: a list of members.
    record Leave(long ticket, LeaveGroupRequestData request) implements GroupEvent {}

    /// A member's commit was accepted, which counts as a heartbeat.
    record Committed(String memberId) implements GroupEvent {}

    /// [Timer.Session] ran out.
    record SessionExpired(String memberId) implements GroupEvent {}

    /// [Timer.Pending] ran out.
    record PendingExpired(String memberId) implements GroupEvent {}

    /// [Timer.Gathering] ran out.
    record GatheringEnded() implements GroupEvent {}

    /// [Timer.Syncing] ran out.
    record SyncingEnded(int generation) implements GroupEvent {}

    /// What [Effect.Store] asked for is durable.
    record Stored(Intent intent) implements GroupEvent {}

    /// What [Effect.Store] asked for failed, as far as is known.
    ///
    /// @param error for the clients that wait
    record NotStored(Intent intent, Errors error) implements GroupEvent {}

    /// The group was loaded from its shard: its members' sessions begin anew.
    record Loaded() implements GroupEvent {}

    /// The group was one of the newer protocol (KIP-848) until now.
    record Converted() implements GroupEvent {}
}
