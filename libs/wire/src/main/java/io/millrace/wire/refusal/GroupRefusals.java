package io.millrace.wire.refusal;

import java.util.List;

import org.apache.kafka.common.message.ConsumerGroupDescribeRequestData;
import org.apache.kafka.common.message.ConsumerGroupDescribeResponseData;
import org.apache.kafka.common.message.DeleteGroupsRequestData;
import org.apache.kafka.common.message.DeleteGroupsResponseData;
import org.apache.kafka.common.message.DeleteGroupsResponseData.DeletableGroupResult;
import org.apache.kafka.common.message.DescribeGroupsRequestData;
import org.apache.kafka.common.message.DescribeGroupsResponseData;
import org.apache.kafka.common.message.DescribeGroupsResponseData.DescribedGroup;
import org.apache.kafka.common.message.FindCoordinatorRequestData;
import org.apache.kafka.common.message.FindCoordinatorResponseData;
import org.apache.kafka.common.message.FindCoordinatorResponseData.Coordinator;
import org.apache.kafka.common.message.JoinGroupRequestData;
import org.apache.kafka.common.message.JoinGroupResponseData;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitResponseData;
import org.apache.kafka.common.message.OffsetCommitResponseData.OffsetCommitResponsePartition;
import org.apache.kafka.common.message.OffsetCommitResponseData.OffsetCommitResponseTopic;
import org.apache.kafka.common.message.OffsetFetchRequestData;
import org.apache.kafka.common.message.OffsetFetchResponseData;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseGroup;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponsePartition;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseTopic;

/// Of the APIs about groups and their offsets.
final class GroupRefusals {
    private static final short FIRST_JOIN_WITH_NULL_PROTOCOL = 7;
    private static final short FIRST_OFFSET_FETCH_WITH_GROUPS = 8;
    private static final short FIRST_OFFSET_FETCH_WITH_ERROR = 2;
    private static final short FIRST_FIND_WITH_COORDINATORS = 4;
    private static final short FIRST_DESCRIBE_WITH_MESSAGE = 6;
    private static final int NO_NODE = -1;
    private static final long NO_OFFSET = -1;

    private GroupRefusals() {}

    static JoinGroupResponseData joinGroup(JoinGroupRequestData request, Refusal refusal) {
        return new JoinGroupResponseData().setErrorCode(refusal.code())
                .setGenerationId(-1)
                .setProtocolName(refusal.version() >= FIRST_JOIN_WITH_NULL_PROTOCOL ? null : "")
                .setLeader("")
                .setMemberId(request.memberId())
                .setMembers(List.of());
    }

    static DescribeGroupsResponseData describeGroups(DescribeGroupsRequestData request, Refusal refusal) {
        boolean hasMessage = refusal.version() >= FIRST_DESCRIBE_WITH_MESSAGE;
        var answer = new DescribeGroupsResponseData();
        for (var group : request.groups()) {
            answer.groups()
                    .add(new DescribedGroup().setGroupId(group)
                            .setErrorCode(refusal.code())
                            .setErrorMessage(hasMessage ? refusal.message() : null));
        }
        return answer;
    }

    static ConsumerGroupDescribeResponseData describeConsumerGroups(ConsumerGroupDescribeRequestData request,
            Refusal refusal) {
        var answer = new ConsumerGroupDescribeResponseData();
        for (var group : request.groupIds()) {
            answer.groups().add(new ConsumerGroupDescribeResponseData.DescribedGroup().setGroupId(group)
                    .setErrorCode(refusal.code()).setErrorMessage(refusal.message()));
        }
        return answer;
    }

    static DeleteGroupsResponseData deleteGroups(DeleteGroupsRequestData request, Refusal refusal) {
        var answer = new DeleteGroupsResponseData();
        for (var group : request.groupsNames()) {
            answer.results()
                    .add(new DeletableGroupResult().setGroupId(group)
                            .setErrorCode(refusal.code())
                            .setErrorMessage(refusal.message()));
        }
        return answer;
    }

    static OffsetCommitResponseData offsetCommit(OffsetCommitRequestData request, Refusal refusal) {
        var answer = new OffsetCommitResponseData();
        for (var topic : request.topics()) {
            var refused = new OffsetCommitResponseTopic().setName(topic.name()).setTopicId(topic.topicId());
            for (var partition : topic.partitions()) {
                refused.partitions()
                        .add(new OffsetCommitResponsePartition().setPartitionIndex(partition.partitionIndex())
                                .setErrorCode(refusal.code()));
            }
            answer.topics().add(refused);
        }
        return answer;
    }

    /// Three forms: an error a partition, one for the group, one for each of several groups.
    static OffsetFetchResponseData offsetFetch(OffsetFetchRequestData request, Refusal refusal) {
        var answer = new OffsetFetchResponseData();
        if (refusal.version() >= FIRST_OFFSET_FETCH_WITH_GROUPS) {
            for (var group : request.groups()) {
                answer.groups()
                        .add(new OffsetFetchResponseGroup().setGroupId(group.groupId()).setErrorCode(refusal.code()));
            }
            return answer;
        }
        if (refusal.version() >= FIRST_OFFSET_FETCH_WITH_ERROR) {
            answer.setErrorCode(refusal.code());
        }
        for (var topic : request.topics() == null
                ? List.<OffsetFetchRequestData.OffsetFetchRequestTopic>of()
                : request.topics()) {
            var refused = new OffsetFetchResponseTopic().setName(topic.name());
            for (var partition : topic.partitionIndexes()) {
                refused.partitions()
                        .add(new OffsetFetchResponsePartition().setPartitionIndex(partition)
                                .setErrorCode(refusal.code())
                                .setCommittedOffset(NO_OFFSET)
                                .setMetadata(""));
            }
            answer.topics().add(refused);
        }
        return answer;
    }

    static FindCoordinatorResponseData findCoordinator(FindCoordinatorRequestData request, Refusal refusal) {
        var answer = new FindCoordinatorResponseData();
        if (refusal.version() < FIRST_FIND_WITH_COORDINATORS) {
            return answer.setErrorCode(refusal.code())
                    .setErrorMessage(refusal.message())
                    .setNodeId(NO_NODE)
                    .setHost("")
                    .setPort(-1);
        }
        for (var key : request.coordinatorKeys()) {
            answer.coordinators()
                    .add(new Coordinator().setKey(key)
                            .setErrorCode(refusal.code())
                            .setErrorMessage(refusal.message())
                            .setNodeId(NO_NODE)
                            .setHost("")
                            .setPort(-1));
        }
        return answer;
    }
}
