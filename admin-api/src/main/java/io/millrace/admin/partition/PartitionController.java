package io.millrace.admin.partition;

import java.util.Set;

import io.millrace.admin.problem.Problem;
import io.millrace.admin.resource.Links;
import io.millrace.admin.resource.ResourceList;
import io.millrace.admin.upstream.Cluster;
import io.millrace.admin.upstream.Offsets;
import io.millrace.admin.upstream.Offsets.Position;
import io.millrace.admin.upstream.ReplicaFacts;
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
@RequestMapping(path = "/v3/clusters/{clusterId}/topics/{topicName}/partitions", produces = MediaType.APPLICATION_JSON_VALUE)
@RequiredArgsConstructor
@Tag(name = "Partitions")
class PartitionController {
    private final Cluster cluster;
    private final Offsets offsets;
    private final ReplicaFacts facts;
    private final Links links;

    @GetMapping
    @Operation(summary = "List the partitions of a topic")
    ResourceList<KafkaPartition> list(@PathVariable String clusterId, @PathVariable String topicName) {
        var image = cluster.image(clusterId);
        return ResourceList.whole("KafkaPartitionList", links.cluster(clusterId, "topics", topicName, "partitions"),
                cluster.topic(clusterId, topicName).partitions().stream()
                        .map(partition -> KafkaPartition.of(image, topicName, partition, links))
                        .toList());
    }

    @GetMapping("/{partitionId}")
    @Operation(summary = "Describe a partition")
    KafkaPartition get(@PathVariable String clusterId, @PathVariable String topicName, @PathVariable int partitionId) {
        return KafkaPartition.of(cluster.image(clusterId), topicName, cluster.partition(clusterId, topicName,
                partitionId), links);
    }

    @GetMapping("/{partitionId}/offset")
    @Operation(summary = "The earliest and the latest offset of a partition")
    KafkaPartitionWithOffsets offset(@PathVariable String clusterId, @PathVariable String topicName,
            @PathVariable int partitionId) {
        cluster.partition(clusterId, topicName, partitionId);
        var asked = new TopicPartition(topicName, partitionId);
        long earliest = offsets.of(Set.of(asked), Position.EARLIEST).require(asked);
        long latest = offsets.of(Set.of(asked), Position.LATEST).require(asked);
        return KafkaPartitionWithOffsets.of(clusterId, topicName, partitionId, earliest, latest, links);
    }

    @GetMapping("/{partitionId}/replicas")
    @Operation(summary = "List the replicas of a partition", description = "What the leader knows of each is null where it "
            + "does not answer.")
    ResourceList<KafkaReplica> replicas(@PathVariable String clusterId, @PathVariable String topicName,
            @PathVariable int partitionId) {
        var partition = cluster.partition(clusterId, topicName, partitionId);
        var known = facts.of(new TopicPartition(topicName, partitionId));
        return ResourceList.whole("KafkaReplicaList",
                links.cluster(clusterId, "topics", topicName, "partitions", partitionId, "replicas"),
                partition.replicas().stream()
                        .map(broker -> KafkaReplica.of(clusterId, topicName, partition, broker, known.get(broker),
                                links))
                        .toList());
    }

    @GetMapping("/{partitionId}/replicas/{brokerId}")
    @Operation(summary = "Describe a replica", description = "What the leader knows of it is null where it does not answer.")
    KafkaReplica replica(@PathVariable String clusterId, @PathVariable String topicName, @PathVariable int partitionId,
            @PathVariable int brokerId) {
        var partition = cluster.partition(clusterId, topicName, partitionId);
        if (!partition.isReplica(brokerId)) {
            throw Problem.notFound("Replica %d of %s-%d cannot be found.".formatted(brokerId, topicName, partitionId));
        }
        return KafkaReplica.of(clusterId, topicName, partition, brokerId, facts.of(new TopicPartition(topicName,
                partitionId)).get(brokerId), links);
    }
}
