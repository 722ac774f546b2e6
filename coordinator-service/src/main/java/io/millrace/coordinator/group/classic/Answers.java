package io.millrace.coordinator.group.classic;

import java.util.List;

import io.millrace.coordinator.record.Bytes;
import org.apache.kafka.common.message.HeartbeatResponseData;
import org.apache.kafka.common.message.JoinGroupResponseData;
import org.apache.kafka.common.message.JoinGroupResponseData.JoinGroupResponseMember;
import org.apache.kafka.common.message.SyncGroupResponseData;
import org.apache.kafka.common.protocol.Errors;

/// The answers of a classic group.
public final class Answers {
    private static final int NO_GENERATION = -1;

    private Answers() {}

    /// A JoinGroup that was not accepted.
    ///
    /// @param memberId the one to go on with; empty where there is none
    public static JoinGroupResponseData joinRefused(Errors error, String memberId) {
        return new JoinGroupResponseData().setErrorCode(error.code()).setMemberId(memberId)
                .setGenerationId(NO_GENERATION).setProtocolType(null).setProtocolName(null).setLeader("");
    }

    /// A SyncGroup that was not accepted.
    public static SyncGroupResponseData syncRefused(Errors error) {
        return new SyncGroupResponseData().setErrorCode(error.code()).setProtocolType(null).setProtocolName(null);
    }

    static HeartbeatResponseData heartbeat(Errors error) {
        return new HeartbeatResponseData().setErrorCode(error.code());
    }

    /// The group's present generation, as `member` is to see it.
    ///
    /// @param asLeader whether it gets the list of members
    static JoinGroupResponseData joined(ClassicGroup group, Member member, boolean asLeader) {
        return new JoinGroupResponseData().setErrorCode(Errors.NONE.code()).setMemberId(member.id())
                .setGenerationId(group.generation()).setProtocolType(group.protocolType())
                .setProtocolName(group.protocol()).setLeader(group.leader() == null ? "" : group.leader())
                .setMembers(asLeader ? members(group) : List.of());
    }

    static SyncGroupResponseData synced(ClassicGroup group, Bytes assignment) {
        return new SyncGroupResponseData().setErrorCode(Errors.NONE.code()).setProtocolType(group.protocolType())
                .setProtocolName(group.protocol()).setAssignment(assignment.array());
    }

    private static List<JoinGroupResponseMember> members(ClassicGroup group) {
        return group.members().values().stream()
                .map(member -> new JoinGroupResponseMember().setMemberId(member.id())
                        .setGroupInstanceId(member.instanceId())
                        .setMetadata(member.metadataOf(group.protocol()).orElse(Bytes.EMPTY).array()))
                .toList();
    }
}
