package io.millrace.admin.group;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.millrace.admin.group.KafkaConsumerLag.Reader;
import io.millrace.admin.problem.Problem;
import io.millrace.admin.resource.Links;
import io.millrace.admin.resource.ResourceList;
import io.millrace.admin.upstream.Cluster;
import io.millrace.admin.upstream.Group;
import io.millrace.admin.upstream.Groups;
import io.millrace.admin.upstream.LagAges;
import io.millrace.admin.upstream.Offsets;
import io.millrace.admin.upstream.Offsets.Position;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import lombok.RequiredArgsConstructor;
import org.apache.kafka.common.TopicPartition;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping(path = "/v3/clusters/{clusterId}/consumer-groups/{groupId}", produces = MediaType.APPLICATION_JSON_VALUE)
@RequiredArgsConstructor
@Tag(name = "Consumer groups")
class ConsumerLagController {
    private final Cluster cluster;
    private final Groups groups;
    private final Offsets offsets;
    private final LagAges ages;
    private final Links links;

    @GetMapping("/lag-summary")
    @Operation(summary = "The lag of a consumer group as a whole")
    KafkaConsumerGroupLagSummary summary(@PathVariable String clusterId, @PathVariable String groupId) {
        return KafkaConsumerGroupLagSummary.of(clusterId, groupId, find(clusterId, groupId), links);
    }

    @GetMapping("/lags")
    @Operation(summary = "The lag of a consumer group in each partition that it committed an offset of")
    ResourceList<KafkaConsumerLag> list(@PathVariable String clusterId, @PathVariable String groupId) {
        return ResourceList.whole("KafkaConsumerLagList", links.cluster(clusterId, "consumer-groups", groupId, "lags"),
                find(clusterId, groupId));
    }

    @GetMapping("/lags/{topicName}/partitions/{partitionId}")
    @Operation(summary = "The lag of a consumer group in one partition")
    KafkaConsumerLag get(@PathVariable String clusterId, @PathVariable String groupId, @PathVariable String topicName,
            @PathVariable int partitionId) {
        return find(clusterId, groupId).stream()
                .filter(lag -> lag.topicName().equals(topicName) && lag.partitionId() == partitionId)
                .findFirst()
                .orElseThrow(() -> Problem.notFound("Consumer group %s has no offset of %s-%d.".formatted(groupId,
                        topicName, partitionId)));
    }

    private List<KafkaConsumerLag> find(String clusterId, String groupId) {
        cluster.image(clusterId);
        var readers = readers(groups.describe(groupId));
        var committed = groups.committed(groupId);
        var ends = offsets.of(committed.keySet(), Position.LATEST).offsets();
        var seconds = ages.of(committed, ends);
        return committed.entrySet().stream()
                .map(entry -> KafkaConsumerLag.of(clusterId, groupId, entry.getKey(), entry.getValue(),
                        ends.get(entry.getKey()), seconds.get(entry.getKey()), readers.get(entry.getKey()), links))
                .toList();
    }

    private static Map<TopicPartition, Reader> readers(Group group) {
        var readers = new HashMap<TopicPartition, Reader>();
        for (var member : group.members()) {
            var reader = new Reader(member.id(), member.instanceId(), member.clientId());
            member.assigned().forEach(partition -> readers.put(partition, reader));
        }
        return readers;
    }
}
