package io.millrace.admin.upstream;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

import io.millrace.admin.upstream.Groups.Owned;
import io.millrace.metadata.image.PartitionImage;
import io.millrace.metadata.image.TopicImage;
import io.millrace.service.protocol.TopicIds;
import lombok.extern.slf4j.Slf4j;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.OffsetFetchRequestData;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestGroup;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestTopics;
import org.apache.kafka.common.message.OffsetFetchResponseData;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseGroup;
import org.apache.kafka.common.protocol.Errors;

/// Which groups committed offsets of a topic, asked of all coordinators.
@Slf4j
public final class TopicCommits {
    private final Cluster cluster;
    private final Groups groups;

    /// @param groups lists them
    public TopicCommits(Cluster cluster, Groups groups) {
        this.cluster = cluster;
        this.groups = groups;
    }

    /// A group and where it is in the topic.
    ///
    /// @param committed not empty
    public record TopicGroup(Group group, Map<TopicPartition, Long> committed) {}

    private record Asked(int coordinator, Map<String, Group> owned,
            CompletableFuture<OffsetFetchResponseData> answer) {}

    /// By group id. Groups of coordinators that do not answer are missing.
    public List<TopicGroup> of(TopicImage topic) {
        Map<Integer, Map<String, Group>> byCoordinator = groups.list().stream().collect(Collectors.groupingBy(
                Owned::coordinator, TreeMap::new, Collectors.toMap(owned -> owned.group().id(), Owned::group)));
        var asked = new ArrayList<Asked>();
        byCoordinator.forEach((coordinator, owned) -> cluster.image().coordinator(coordinator).ifPresent(
                node -> asked.add(new Asked(coordinator, owned, cluster.ask(node, question(topic, owned))))));
        var found = new ArrayList<TopicGroup>();
        asked.forEach(one -> {
            try {
                Cluster.join(one.answer()).groups().forEach(group -> add(topic, one.owned(), group, found));
            } catch (RuntimeException failure) {
                log.warn("event=fetch-offsets-failed coordinator={} cause=\"{}\"", one.coordinator(), failure
                        .toString());
            }
        });
        found.sort(Comparator.comparing(one -> one.group().id()));
        return found;
    }

    private static OffsetFetchRequestData question(TopicImage topic, Map<String, Group> owned) {
        var partitions = topic.partitions().stream().map(PartitionImage::partition).toList();
        return new OffsetFetchRequestData().setGroups(owned.keySet().stream().map(id -> new OffsetFetchRequestGroup()
                .setGroupId(id).setTopics(List.of(new OffsetFetchRequestTopics().setName(topic.name()).setTopicId(
                        TopicIds.toKafka(topic.id())).setPartitionIndexes(partitions)))).toList());
    }

    /// A group that has gone or moved meanwhile has an error, and is left out like one without offsets.
    private static void add(TopicImage topic, Map<String, Group> owned, OffsetFetchResponseGroup answer,
            List<TopicGroup> found) {
        var committed = new TreeMap<TopicPartition, Long>(GroupOffsets.ORDER);
        answer.topics().forEach(one -> one.partitions().forEach(partition -> {
            if (partition.errorCode() == Errors.NONE.code() && partition.committedOffset() >= 0) {
                committed.put(new TopicPartition(topic.name(), partition.partitionIndex()), partition
                        .committedOffset());
            }
        }));
        var group = owned.get(answer.groupId());
        if (group != null && !committed.isEmpty()) {
            found.add(new TopicGroup(group, committed));
        }
    }
}
