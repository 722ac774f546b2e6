package io.millrace.admin.group;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.Map;

import io.millrace.admin.resource.Links;
import io.millrace.admin.resource.Related;
import io.millrace.admin.resource.ResourceList;
import io.millrace.admin.upstream.Cluster;
import io.millrace.admin.upstream.Group;
import io.millrace.admin.upstream.LagAges;
import io.millrace.admin.upstream.Offsets;
import io.millrace.admin.upstream.Offsets.Position;
import io.millrace.admin.upstream.TopicCommits;
import io.millrace.admin.upstream.TopicCommits.TopicGroup;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import lombok.RequiredArgsConstructor;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/// The groups that read a topic.
@RestController
@RequestMapping(path = "/v3/clusters/{clusterId}/topics/{topicName}", produces = MediaType.APPLICATION_JSON_VALUE)
@RequiredArgsConstructor
@Tag(name = "Consumer groups")
class TopicGroupController {
    /// For an age, records have to be read.
    private static final int MOST_WITH_AGES = 64;

    private final Cluster cluster;
    private final TopicCommits commits;
    private final Offsets offsets;
    private final LagAges ages;
    private final Links links;

    /// @param state as Kafka names it, in capitals
    /// @param partitionsCommitted of the topic, that the group has an offset of
    /// @param totalLag over these; what has no known lag is left out
    /// @param maxLagSeconds age of the oldest record that is not read; null where it is not known, and beyond the first 64 groups
    record KafkaTopicConsumerGroup(String kind, String clusterId, String topicName, String consumerGroupId,
            Group.Type type, String state, int members, int partitionsCommitted, long totalLag, long maxLag,
            @Nullable Double maxLagSeconds, Related consumerGroup, Related lags) {}

    @GetMapping("/consumer-groups")
    @Operation(summary = "List the consumer groups with offsets of a topic", description = "With their lag in this topic alone.")
    ResourceList<KafkaTopicConsumerGroup> list(@PathVariable String clusterId, @PathVariable String topicName) {
        var groups = commits.of(cluster.topic(clusterId, topicName));
        var partitions = new HashSet<TopicPartition>();
        groups.forEach(one -> partitions.addAll(one.committed().keySet()));
        var ends = offsets.of(partitions, Position.LATEST).offsets();
        var rows = new ArrayList<KafkaTopicConsumerGroup>();
        for (var one : groups) {
            rows.add(row(clusterId, topicName, one, ends, rows.size() < MOST_WITH_AGES
                    ? ages.of(one.committed(), ends)
                    : Map.of()));
        }
        return ResourceList.whole("KafkaTopicConsumerGroupList", links.cluster(clusterId, "topics", topicName,
                "consumer-groups"), rows);
    }

    private KafkaTopicConsumerGroup row(String clusterId, String topicName, TopicGroup one,
            Map<TopicPartition, Long> ends, Map<TopicPartition, Double> seconds) {
        var group = one.group();
        long total = 0;
        long most = 0;
        for (var committed : one.committed().entrySet()) {
            var end = ends.get(committed.getKey());
            long lag = end == null ? 0 : Math.max(0, end - committed.getValue());
            total += lag;
            most = Math.max(most, lag);
        }
        var oldest = seconds.values().stream().max(Double::compare).orElse(null);
        return new KafkaTopicConsumerGroup("KafkaTopicConsumerGroup", clusterId, topicName, group.id(), group.type(),
                KafkaConsumerGroup.state(group.state()), group.members().size(), one.committed().size(), total, most,
                oldest, links.related(clusterId, "consumer-groups", group.id()), links.related(clusterId,
                        "consumer-groups", group.id(), "lags"));
    }
}
