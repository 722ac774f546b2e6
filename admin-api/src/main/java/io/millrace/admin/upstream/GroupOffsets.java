package io.millrace.admin.upstream;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

import io.millrace.admin.problem.KafkaProblems;
import io.millrace.admin.upstream.Group.Member;
import io.millrace.service.protocol.TopicIds;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatResponseData;
import org.apache.kafka.common.message.LeaveGroupRequestData;
import org.apache.kafka.common.message.LeaveGroupRequestData.MemberIdentity;
import org.apache.kafka.common.message.LeaveGroupResponseData;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestPartition;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestTopic;
import org.apache.kafka.common.message.OffsetCommitResponseData;
import org.apache.kafka.common.message.OffsetDeleteRequestData;
import org.apache.kafka.common.message.OffsetDeleteRequestData.OffsetDeleteRequestPartition;
import org.apache.kafka.common.message.OffsetDeleteRequestData.OffsetDeleteRequestTopic;
import org.apache.kafka.common.message.OffsetDeleteResponseData;

/// Offsets of groups changed from outside, and members sent away.
public final class GroupOffsets {
    /// By topic and partition.
    public static final Comparator<TopicPartition> ORDER = Comparator.comparing(TopicPartition::topic).thenComparingInt(
            TopicPartition::partition);
    private static final int OUTSIDER = -1;
    private static final int LEAVES = -1;

    private final Cluster cluster;
    private final Groups groups;

    /// @param groups finds their coordinators
    public GroupOffsets(Cluster cluster, Groups groups) {
        this.cluster = cluster;
        this.groups = groups;
    }

    /// Where a group shall go on.
    ///
    /// @param metadata text beside the offset; empty where there is none
    public record Position(long offset, String metadata) {}

    /// Commits for a group that has no members.
    ///
    /// @throws io.millrace.admin.problem.Problem where the coordinator refuses any of them; a group with members is a conflict
    public void commit(String groupId, Map<TopicPartition, Position> positions) {
        var topics = new HashMap<String, OffsetCommitRequestTopic>();
        positions.forEach((partition, position) -> topics.computeIfAbsent(partition.topic(),
                name -> new OffsetCommitRequestTopic().setName(name).setTopicId(id(name))).partitions().add(
                        new OffsetCommitRequestPartition().setPartitionIndex(partition.partition()).setCommittedOffset(
                                position.offset).setCommittedMetadata(position.metadata)));
        var request = new OffsetCommitRequestData().setGroupId(groupId).setGenerationIdOrMemberEpoch(OUTSIDER)
                .setTopics(List.copyOf(topics.values()));
        Cluster.join(cluster.<OffsetCommitResponseData>ask(groups.coordinator(groupId), request)).topics().forEach(
                topic -> topic.partitions().forEach(partition -> KafkaProblems.check(partition.errorCode(), null)));
    }

    private Uuid id(String topic) {
        return cluster.image().topic(topic).map(found -> TopicIds.toKafka(found.id())).orElse(Uuid.ZERO_UUID);
    }

    /// Forgets offsets of a group.
    ///
    /// @throws io.millrace.admin.problem.Problem where a member reads any of those topics, or the group is not there
    public void delete(String groupId, Set<TopicPartition> partitions) {
        var request = new OffsetDeleteRequestData().setGroupId(groupId);
        var topics = new HashMap<String, OffsetDeleteRequestTopic>();
        partitions.forEach(partition -> topics.computeIfAbsent(partition.topic(), name -> new OffsetDeleteRequestTopic()
                .setName(name)).partitions().add(new OffsetDeleteRequestPartition().setPartitionIndex(partition
                        .partition())));
        topics.values().forEach(request.topics()::add);
        var told = Cluster.join(cluster.<OffsetDeleteResponseData>ask(groups.coordinator(groupId), request));
        KafkaProblems.check(told.errorCode(), null);
        told.topics().forEach(topic -> topic.partitions().forEach(partition -> KafkaProblems.check(partition
                .errorCode(), null)));
    }

    /// Sends members away; they may come back.
    ///
    /// @throws io.millrace.admin.problem.Problem where any of them is not there
    public void remove(String groupId, Collection<Member> members, String reason) {
        var byOwnWord = members.stream().filter(GroupOffsets::speaksForItself).toList();
        byOwnWord.forEach(member -> removeInItsName(groupId, member));
        var others = members.stream().filter(member -> !speaksForItself(member)).map(member -> new MemberIdentity()
                .setMemberId(member.id()).setGroupInstanceId(member.instanceId()).setReason(reason)).toList();
        if (others.isEmpty()) {
            return;
        }
        var told = Cluster.join(cluster.<LeaveGroupResponseData>ask(groups.coordinator(groupId),
                new LeaveGroupRequestData().setGroupId(groupId).setMembers(others)));
        KafkaProblems.check(told.errorCode(), null);
        told.members().forEach(member -> KafkaProblems.check(member.errorCode(), null));
    }

    /// LeaveGroup takes members of the new protocol only where they are static.
    private static boolean speaksForItself(Member member) {
        var subscription = member.subscription();
        return subscription != null && subscription.type() == Group.Type.CONSUMER;
    }

    private void removeInItsName(String groupId, Member member) {
        var told = Cluster.join(cluster.<ConsumerGroupHeartbeatResponseData>ask(groups.coordinator(groupId),
                new ConsumerGroupHeartbeatRequestData().setGroupId(groupId).setMemberId(member.id()).setInstanceId(
                        member.instanceId()).setMemberEpoch(LEAVES)));
        KafkaProblems.check(told.errorCode(), told.errorMessage());
    }

    /// An empty map in the order of topics and partitions.
    public static <V> NavigableMap<TopicPartition, V> ordered() {
        return new TreeMap<>(ORDER);
    }
}
