package io.millrace.coordinator.group.classic;

import java.util.Objects;

import io.millrace.coordinator.group.GroupState;
import io.millrace.coordinator.record.Bytes;
import org.apache.kafka.common.message.DescribeGroupsResponseData.DescribedGroup;
import org.apache.kafka.common.message.DescribeGroupsResponseData.DescribedGroupMember;
import org.apache.kafka.common.message.ListGroupsResponseData.ListedGroup;
import org.apache.kafka.common.protocol.Errors;

/// A classic group as operators see it.
public final class Descriptions {
    private static final String TYPE = "classic";

    private Descriptions() {}

    /// A line of a list of groups.
    public static ListedGroup list(ClassicGroup group) {
        return new ListedGroup().setGroupId(group.groupId())
                .setProtocolType(Objects.requireNonNullElse(group.protocolType(), ""))
                .setGroupState(group.state().label()).setGroupType(TYPE);
    }

    /// The group with its members; subscriptions and assignments only while they are settled.
    public static DescribedGroup describe(ClassicGroup group) {
        boolean stable = group.phase() instanceof Phase.Stable;
        var described = new DescribedGroup().setErrorCode(Errors.NONE.code()).setGroupId(group.groupId())
                .setGroupState(group.state().label())
                .setProtocolType(Objects.requireNonNullElse(group.protocolType(), ""))
                .setProtocolData(stable ? Objects.requireNonNullElse(group.protocol(), "") : "");
        for (var member : group.members().values()) {
            described.members().add(new DescribedGroupMember().setMemberId(member.id())
                    .setGroupInstanceId(member.instanceId()).setClientId(member.client().clientId())
                    .setClientHost(member.client().host())
                    .setMemberMetadata(
                            (stable ? member.metadataOf(group.protocol()).orElse(Bytes.EMPTY) : Bytes.EMPTY).array())
                    .setMemberAssignment((stable ? member.assignment() : Bytes.EMPTY).array()));
        }
        return described;
    }

    /// A group that is not known.
    public static DescribedGroup unknown(String groupId) {
        return new DescribedGroup().setErrorCode(Errors.NONE.code()).setGroupId(groupId)
                .setGroupState(GroupState.DEAD.label());
    }
}
