package io.millrace.coordinator.group.consumer;

import java.util.ArrayList;

import io.millrace.coordinator.record.Partitions;
import io.millrace.metadata.image.TopicImage;
import org.apache.kafka.common.message.ConsumerGroupDescribeResponseData.Assignment;
import org.apache.kafka.common.message.ConsumerGroupDescribeResponseData.DescribedGroup;
import org.apache.kafka.common.message.ConsumerGroupDescribeResponseData.Member;
import org.apache.kafka.common.message.ConsumerGroupDescribeResponseData.TopicPartitions;
import org.apache.kafka.common.message.ListGroupsResponseData.ListedGroup;
import org.apache.kafka.common.protocol.Errors;

/// A consumer group as operators see it.
public final class ConsumerDescriptions {
    private static final String TYPE = "consumer";
    private static final byte CLASSIC_MEMBER = 0;
    private static final byte CONSUMER_MEMBER = 1;

    private ConsumerDescriptions() {}

    /// A line of a list of groups.
    public static ListedGroup list(ConsumerGroup group) {
        return new ListedGroup().setGroupId(group.groupId()).setProtocolType(TYPE)
                .setGroupState(group.state().label()).setGroupType(TYPE);
    }

    /// The group with its members.
    public static DescribedGroup describe(ConsumerGroup group, ConsumerRules rules, TopicDirectory topics) {
        var described = new DescribedGroup().setGroupId(group.groupId()).setGroupState(group.state().label())
                .setGroupEpoch(group.epoch()).setAssignmentEpoch(group.targetEpoch())
                .setAssignorName(Targets.assignor(group, rules).label());
        for (var member : group.members().values()) {
            var metadata = member.metadata();
            described.members().add(new Member().setMemberId(member.id()).setInstanceId(metadata.instanceId())
                    .setRackId(metadata.rackId()).setMemberEpoch(member.current().epoch())
                    .setClientId(metadata.clientId()).setClientHost(metadata.clientHost())
                    .setSubscribedTopicNames(metadata.topics()).setSubscribedTopicRegex(metadata.pattern())
                    .setAssignment(assignment(member.current().assigned(), topics))
                    .setTargetAssignment(assignment(group.target(member.id()), topics))
                    .setMemberType(member.isClassic() ? CLASSIC_MEMBER : CONSUMER_MEMBER));
        }
        return described;
    }

    /// A group that is not known, or is of another kind.
    public static DescribedGroup unknown(String groupId) {
        return new DescribedGroup().setGroupId(groupId).setErrorCode(Errors.GROUP_ID_NOT_FOUND.code())
                .setErrorMessage("Group " + groupId + " is not a consumer group.");
    }

    /// Topics that are gone cannot be named, and are left out.
    private static Assignment assignment(Partitions partitions, TopicDirectory topics) {
        var all = new ArrayList<TopicPartitions>();
        partitions.byTopic().forEach((id, numbers) -> topics.of(id).map(TopicImage::name).ifPresent(
                name -> all.add(new TopicPartitions().setTopicId(id).setTopicName(name)
                        .setPartitions(new ArrayList<>(numbers)))));
        return new Assignment().setTopicPartitions(all);
    }
}
