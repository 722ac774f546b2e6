package io.millrace.admin.upstream;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

import io.millrace.admin.problem.KafkaProblems;
import io.millrace.admin.problem.Problem;
import io.millrace.admin.upstream.Group.Member;
import io.millrace.metadata.image.NodeImage;
import io.millrace.metadata.image.ShardKind;
import io.millrace.metadata.image.TopicImage;
import io.millrace.service.protocol.TopicIds;
import io.millrace.wire.api.AddedText;
import lombok.extern.slf4j.Slf4j;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.ConsumerGroupDescribeRequestData;
import org.apache.kafka.common.message.ConsumerGroupDescribeResponseData;
import org.apache.kafka.common.message.DeleteGroupsRequestData;
import org.apache.kafka.common.message.DeleteGroupsResponseData;
import org.apache.kafka.common.message.DescribeGroupsRequestData;
import org.apache.kafka.common.message.DescribeGroupsResponseData;
import org.apache.kafka.common.message.DescribeGroupsResponseData.DescribedGroup;
import org.apache.kafka.common.message.ListGroupsRequestData;
import org.apache.kafka.common.message.ListGroupsResponseData;
import org.apache.kafka.common.message.OffsetFetchRequestData;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestGroup;
import org.apache.kafka.common.message.OffsetFetchResponseData;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponsePartitions;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseTopics;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/// Consumer groups, asked of the coordinators that own them.
@Slf4j
public final class Groups {
    private static final String DEAD = "Dead";

    private final Cluster cluster;

    /// @param cluster where the coordinators are
    public Groups(Cluster cluster) {
        this.cluster = cluster;
    }

    /// A group and the coordinator that owns it.
    public record Owned(Group group, int coordinator) {}

    /// Every group of every coordinator that answers, by id: one dead coordinator does not empty the answer.
    public List<Owned> list() {
        var answers = new TreeMap<Integer, CompletableFuture<List<Group>>>();
        for (var coordinator : cluster.image().liveCoordinators()) {
            answers.put(coordinator.id(), describeAll(coordinator));
        }
        var groups = new ArrayList<Owned>();
        answers.forEach((coordinator, answer) -> {
            try {
                Cluster.join(answer).forEach(group -> groups.add(new Owned(group, coordinator)));
            } catch (RuntimeException failure) {
                log.warn("event=list-groups-failed coordinator={} cause=\"{}\"", coordinator, failure.toString());
            }
        });
        groups.sort(Comparator.comparing(owned -> owned.group().id()));
        return groups;
    }

    private CompletableFuture<List<Group>> describeAll(NodeImage coordinator) {
        return cluster.<ListGroupsResponseData>ask(coordinator, new ListGroupsRequestData()).thenCompose(listed -> {
            KafkaProblems.check(listed.errorCode(), null);
            var classic = new ArrayList<String>();
            var consumer = new ArrayList<String>();
            listed.groups().forEach(group -> (Group.Type.of(group.groupType()) == Group.Type.CONSUMER
                    ? consumer
                    : classic).add(group.groupId()));
            return describe(coordinator, consumer, classic);
        });
    }

    /// Groups that are of the new protocol no longer are described as classic ones; those that are gone are left out.
    private CompletableFuture<List<Group>> describe(NodeImage coordinator, List<String> consumer,
            List<String> classic) {
        return askConsumer(coordinator, consumer).thenCompose(ofConsumers -> {
            var groups = new ArrayList<Group>();
            var others = new ArrayList<>(classic);
            for (var group : ofConsumers) {
                if (group.errorCode() == Errors.GROUP_ID_NOT_FOUND.code()) {
                    others.add(group.groupId());
                } else {
                    KafkaProblems.check(group.errorCode(), group.errorMessage());
                    groups.add(GroupDescriptions.of(group));
                }
            }
            return askClassic(coordinator, others).thenApply(ofOthers -> {
                ofOthers.stream().filter(group -> !isDead(group)).forEach(group -> {
                    KafkaProblems.check(group.errorCode(), group.errorMessage());
                    groups.add(GroupDescriptions.of(group));
                });
                return groups;
            });
        });
    }

    private CompletableFuture<List<ConsumerGroupDescribeResponseData.DescribedGroup>> askConsumer(
            NodeImage coordinator, List<String> ids) {
        return ids.isEmpty()
                ? CompletableFuture.completedFuture(List.of())
                : cluster.<ConsumerGroupDescribeResponseData>ask(coordinator, new ConsumerGroupDescribeRequestData()
                        .setGroupIds(ids)).thenApply(ConsumerGroupDescribeResponseData::groups);
    }

    private CompletableFuture<List<DescribedGroup>> askClassic(NodeImage coordinator, List<String> ids) {
        return ids.isEmpty()
                ? CompletableFuture.completedFuture(List.of())
                : cluster.<DescribeGroupsResponseData>ask(coordinator, new DescribeGroupsRequestData().setGroups(ids))
                        .thenApply(DescribeGroupsResponseData::groups);
    }

    private List<Group> find(String groupId) {
        return Cluster.join(describe(coordinator(groupId), List.of(groupId), List.of()));
    }

    /// @throws Problem where there is no such group
    public Group describe(String groupId) {
        return find(groupId).stream().findFirst().orElseThrow(() -> Problem.notFound("Consumer group " + groupId
                + " cannot be found."));
    }

    /// What a group committed for a partition.
    ///
    /// @param leaderEpoch of the last record read; null where the client did not say
    /// @param metadata the client's own text, empty where it gave none
    /// @param at when it was committed; null where the coordinator does not tell
    public record Commit(long offset, @Nullable Integer leaderEpoch, String metadata, @Nullable Instant at) {}

    /// The committed offsets of a group, by topic and partition. Partitions without one are left out, and so are topics
    /// that are no longer there.
    public Map<TopicPartition, Long> committed(String groupId) {
        var offsets = new TreeMap<TopicPartition, Long>(GroupOffsets.ORDER);
        commits(groupId).forEach((partition, commit) -> offsets.put(partition, commit.offset()));
        return offsets;
    }

    /// The same with all that is known of them.
    public Map<TopicPartition, Commit> commits(String groupId) {
        var asked = new OffsetFetchRequestGroup().setGroupId(groupId).setTopics(null);
        AddedText.add(asked, "times");
        var group = Cluster.join(cluster.<OffsetFetchResponseData>ask(coordinator(groupId), new OffsetFetchRequestData()
                .setGroups(List.of(asked)))).groups().getFirst();
        KafkaProblems.check(group.errorCode(), null);
        var commits = new TreeMap<TopicPartition, Commit>(GroupOffsets.ORDER);
        for (var topic : group.topics()) {
            var name = name(topic);
            for (var partition : topic.partitions()) {
                if (!name.isEmpty() && partition.errorCode() == Errors.NONE.code() && partition
                        .committedOffset() >= 0) {
                    commits.put(new TopicPartition(name, partition.partitionIndex()), commit(partition));
                }
            }
        }
        return commits;
    }

    private static Commit commit(OffsetFetchResponsePartitions partition) {
        int epoch = partition.committedLeaderEpoch();
        var metadata = partition.metadata();
        return new Commit(partition.committedOffset(), epoch < 0 ? null : epoch, metadata == null ? "" : metadata,
                AddedText.of(partition).map(at -> Instant.ofEpochMilli(Long.parseLong(at))).orElse(null));
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

    /// The members of a group; none where there is no such group.
    public List<Member> members(String groupId) {
        return find(groupId).stream().flatMap(group -> group.members().stream()).toList();
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
