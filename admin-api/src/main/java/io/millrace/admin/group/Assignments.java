package io.millrace.admin.group;

import java.nio.ByteBuffer;
import java.util.List;

import lombok.extern.slf4j.Slf4j;
import org.apache.kafka.clients.consumer.internals.ConsumerProtocol;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.DescribeGroupsResponseData.DescribedGroup;
import org.apache.kafka.common.message.DescribeGroupsResponseData.DescribedGroupMember;
import org.apache.kafka.common.protocol.types.SchemaException;

/// What a group's members were assigned, out of the bytes that they exchange through the coordinator.
@Slf4j
final class Assignments {
    private static final String CONSUMER = "consumer";

    private Assignments() {}

    /// Empty for groups that are not of consumers (Connect's), and for bytes that no consumer wrote.
    static List<TopicPartition> of(DescribedGroup group, DescribedGroupMember member) {
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
}
