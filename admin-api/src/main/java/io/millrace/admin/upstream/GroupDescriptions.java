package io.millrace.admin.upstream;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

import io.millrace.admin.upstream.Group.Epochs;
import io.millrace.admin.upstream.Group.Member;
import io.millrace.admin.upstream.Group.Rebalance;
import io.millrace.admin.upstream.Group.Subscription;
import io.millrace.wire.api.AddedText;
import lombok.extern.slf4j.Slf4j;
import org.apache.kafka.clients.consumer.internals.ConsumerProtocol;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.ConsumerGroupDescribeResponseData;
import org.apache.kafka.common.message.ConsumerGroupDescribeResponseData.Assignment;
import org.apache.kafka.common.message.DescribeGroupsResponseData;
import org.apache.kafka.common.message.DescribeGroupsResponseData.DescribedGroupMember;
import org.apache.kafka.common.protocol.Message;
import org.apache.kafka.common.protocol.types.SchemaException;
import org.jspecify.annotations.Nullable;

/// What coordinators answer of groups, in one form.
@Slf4j
final class GroupDescriptions {
    private static final String CONSUMER = "consumer";
    private static final byte CLASSIC_MEMBER = 0;

    private GroupDescriptions() {}

    /// A classic group.
    static Group of(DescribeGroupsResponseData.DescribedGroup group) {
        return new Group(group.groupId(), Group.Type.CLASSIC, group.protocolType(), group.protocolData(), group
                .groupState(),
                null, rebalance(group), group.members().stream().map(member -> new Member(member.memberId(), member
                        .groupInstanceId(), member.clientId(), member.clientHost(), software(member),
                        assigned(group, member), null)).toList());
    }

    /// A group of the new protocol.
    static Group of(ConsumerGroupDescribeResponseData.DescribedGroup group) {
        return new Group(group.groupId(), Group.Type.CONSUMER, CONSUMER, group.assignorName(), group.groupState(),
                new Epochs(group.groupEpoch(), group.assignmentEpoch()), rebalance(group), group.members().stream()
                        .map(member -> new Member(member.memberId(), member.instanceId(), member.clientId(), member
                                .clientHost(), software(member), partitions(member.assignment()),
                                subscription(member)))
                        .toList());
    }

    private static Subscription subscription(ConsumerGroupDescribeResponseData.Member member) {
        var pattern = member.subscribedTopicRegex();
        return new Subscription(member.memberType() == CLASSIC_MEMBER ? Group.Type.CLASSIC : Group.Type.CONSUMER, member
                .memberEpoch(), member.rackId(), member.subscribedTopicNames(), pattern == null || pattern.isEmpty()
                        ? null
                        : pattern,
                partitions(member.targetAssignment()));
    }

    private static List<TopicPartition> partitions(Assignment assignment) {
        var partitions = new ArrayList<TopicPartition>();
        assignment.topicPartitions().forEach(topic -> topic.partitions().forEach(partition -> partitions.add(
                new TopicPartition(topic.topicName(), partition))));
        partitions.sort(GroupOffsets.ORDER);
        return partitions;
    }

    /// Out of the bytes that the members exchange through the coordinator. Empty for groups that are not of consumers
    /// (Connect's), and for bytes that no consumer wrote.
    private static List<TopicPartition> assigned(DescribeGroupsResponseData.DescribedGroup group,
            DescribedGroupMember member) {
        if (!group.protocolType().equals(CONSUMER) || member.memberAssignment().length == 0) {
            return List.of();
        }
        try {
            return ConsumerProtocol.deserializeAssignment(ByteBuffer.wrap(member.memberAssignment())).partitions();
        } catch (SchemaException unreadable) {
            log.debug("event=assignment-unreadable group={} member={} cause=\"{}\"", group.groupId(), member.memberId(),
                    unreadable.getMessage());
            return List.of();
        }
    }

    private static @Nullable String software(Message member) {
        return AddedText.of(member).orElse(null);
    }

    /// `1700000000000 member c-1 joined`.
    private static @Nullable Rebalance rebalance(Message group) {
        return AddedText.of(group).map(text -> {
            int space = text.indexOf(' ');
            return space < 0
                    ? new Rebalance(Long.parseLong(text), "")
                    : new Rebalance(Long.parseLong(text.substring(0, space)), text.substring(space + 1));
        }).orElse(null);
    }
}
