package io.millrace.admin.upstream;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

import io.millrace.admin.problem.KafkaProblems;
import io.millrace.admin.problem.Problem;
import io.millrace.metadata.image.NodeImage;
import io.millrace.metadata.image.ShardKind;
import io.millrace.metadata.image.TopicImage;
import io.millrace.service.protocol.TopicIds;
import lombok.extern.slf4j.Slf4j;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.DeleteGroupsRequestData;
import org.apache.kafka.common.message.DeleteGroupsResponseData;
import org.apache.kafka.common.message.DescribeGroupsRequestData;
import org.apache.kafka.common.message.DescribeGroupsResponseData;
import org.apache.kafka.common.message.DescribeGroupsResponseData.DescribedGroup;
import org.apache.kafka.common.message.ListGroupsRequestData;
import org.apache.kafka.common.message.ListGroupsResponseData;
import org.apache.kafka.common.message.ListGroupsResponseData.ListedGroup;
import org.apache.kafka.common.message.OffsetFetchRequestData;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestGroup;
import org.apache.kafka.common.message.OffsetFetchResponseData;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseTopics;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/// Consumer groups, asked of the coordinators that own them.
@Slf4j
public final class Groups {
    private static final String DEAD = "Dead";
    private static final Comparator<TopicPartition> BY_NAME = Comparator.comparing(TopicPartition::topic)
            .thenComparingInt(TopicPartition::partition);

    private final Cluster cluster;

    /// @param cluster where the coordinators are
    public Groups(Cluster cluster) {
        this.cluster = cluster;
    }

    /// A group and the coordinator that owns it.
    public record Owned(DescribedGroup group, int coordinator) {}

    /// Every group of every coordinator that answers, by id: one dead coordinator does not empty the answer.
    public List<Owned> list() {
        var answers = new TreeMap<Integer, CompletableFuture<DescribeGroupsResponseData>>();
        for (var coordinator : cluster.image().liveCoordinators()) {
            answers.put(coordinator.id(), describeAll(coordinator));
        }
        var groups = new ArrayList<Owned>();
        answers.forEach((coordinator, answer) -> {
            try {
                Cluster.join(answer).groups().forEach(group -> groups.add(new Owned(group, coordinator)));
            } catch (RuntimeException failure) {
                log.warn("event=list-groups-failed coordinator={} cause=\"{}\"", coordinator, failure.toString());
            }
        });
        groups.removeIf(owned -> isDead(owned.group()));
        groups.sort(Comparator.comparing(owned -> owned.group().groupId()));
        return groups;
    }

    private CompletableFuture<DescribeGroupsResponseData> describeAll(NodeImage coordinator) {
        return cluster.<ListGroupsResponseData>ask(coordinator, new ListGroupsRequestData()).thenCompose(listed -> {
            KafkaProblems.check(listed.errorCode(), null);
            var ids = listed.groups().stream().map(ListedGroup::groupId).toList();
            return ids.isEmpty()
                    ? CompletableFuture.completedFuture(new DescribeGroupsResponseData())
                    : cluster.ask(coordinator, new DescribeGroupsRequestData().setGroups(ids));
        });
    }

    /// @throws Problem where there is no such group
    public DescribedGroup describe(String groupId) {
        var request = new DescribeGroupsRequestData().setGroups(List.of(groupId));
        var group = Cluster.join(cluster.<DescribeGroupsResponseData>ask(coordinator(groupId), request)).groups()
                .getFirst();
        if (isDead(group)) {
            throw Problem.notFound("Consumer group " + groupId + " cannot be found.");
        }
        KafkaProblems.check(group.errorCode(), group.errorMessage());
        return group;
    }

    /// The committed offsets of a group, by topic and partition. Partitions without one are left out, and so are topics
    /// that are no longer there.
    public Map<TopicPartition, Long> committed(String groupId) {
        var request = new OffsetFetchRequestData()
                .setGroups(List.of(new OffsetFetchRequestGroup().setGroupId(groupId).setTopics(null)));
        var group = Cluster.join(cluster.<OffsetFetchResponseData>ask(coordinator(groupId), request)).groups()
                .getFirst();
        KafkaProblems.check(group.errorCode(), null);
        var offsets = new TreeMap<TopicPartition, Long>(BY_NAME);
        for (var topic : group.topics()) {
            var name = name(topic);
            for (var partition : topic.partitions()) {
                if (!name.isEmpty() && partition.errorCode() == Errors.NONE.code() && partition
                        .committedOffset() >= 0) {
                    offsets.put(new TopicPartition(name, partition.partitionIndex()), partition
                            .committedOffset());
                }
            }
        }
        return offsets;
    }

    /// Newer versions of the protocol name a topic by its id only. Empty where this cluster does not know it.
    private String name(OffsetFetchResponseTopics topic) {
        return topic.name().isEmpty()
                ? cluster.image().topic(TopicIds.fromKafka(topic.topicId())).map(TopicImage::name).orElse("")
                : topic.name();
    }

    /// @throws Problem where there is no such group, or it has members
    public void delete(String groupId) {
        var request = new DeleteGroupsRequestData().setGroupsNames(List.of(groupId));
        var result = Cluster.join(cluster.<DeleteGroupsResponseData>ask(coordinator(groupId), request)).results()
                .find(groupId);
        KafkaProblems.check(result.errorCode(), null);
    }

    /// The members of a group, by member id, with the ids of static ones; none where there is no such group.
    public Map<String, @Nullable String> members(String groupId) {
        var request = new DescribeGroupsRequestData().setGroups(List.of(groupId));
        var members = new TreeMap<String, @Nullable String>();
        Cluster.join(cluster.<DescribeGroupsResponseData>ask(coordinator(groupId), request)).groups().getFirst()
                .members().forEach(member -> members.put(member.memberId(), member.groupInstanceId()));
        return members;
    }

    private static boolean isDead(DescribedGroup group) {
        return group.errorCode() == Errors.GROUP_ID_NOT_FOUND.code() || group.groupState().equals(DEAD);
    }

    /// The coordinator that owns a group, whether the group exists or not.
    ///
    /// @throws Problem where nobody owns it now
    public NodeImage coordinator(String groupId) {
        var image = cluster.image();
        return image.shardOf(ShardKind.GROUP, groupId).flatMap(shard -> image.coordinator(shard.owner()))
                .orElseThrow(() -> KafkaProblems.problem(Errors.COORDINATOR_NOT_AVAILABLE, null));
    }
}
