package io.millrace.admin.broker;

import java.util.List;

import io.millrace.admin.partition.KafkaReplica;
import io.millrace.admin.resource.Links;
import io.millrace.admin.resource.ResourceList;
import io.millrace.admin.upstream.Cluster;
import io.millrace.metadata.image.Role;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import lombok.RequiredArgsConstructor;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping(path = "/v3/clusters/{clusterId}/brokers", produces = MediaType.APPLICATION_JSON_VALUE)
@RequiredArgsConstructor
@Tag(name = "Brokers")
class BrokerController {
    private final Cluster cluster;
    private final Links links;

    @GetMapping
    @Operation(summary = "List the registered brokers")
    ResourceList<KafkaBroker> list(@PathVariable String clusterId) {
        List<KafkaBroker> brokers = cluster.image(clusterId).nodes().of(Role.BROKER).stream()
                .map(node -> KafkaBroker.of(cluster.image(clusterId), node, links))
                .toList();
        return ResourceList.whole("KafkaBrokerList", links.cluster(clusterId, "brokers"), brokers);
    }

    @GetMapping("/{brokerId}")
    @Operation(summary = "Describe a broker")
    KafkaBroker get(@PathVariable String clusterId, @PathVariable int brokerId) {
        return KafkaBroker.of(cluster.image(clusterId), cluster.broker(clusterId, brokerId), links);
    }

    @GetMapping("/{brokerId}/restart-check")
    @Operation(summary = "What a restart of a broker would cost now", description = "`safe` where nothing would stop working.")
    RestartCheck restartCheck(@PathVariable String clusterId, @PathVariable int brokerId) {
        cluster.broker(clusterId, brokerId);
        return RestartCheck.of(cluster.image(clusterId), brokerId);
    }

    @GetMapping("/{brokerId}/partition-replicas")
    @Operation(summary = "List the replicas assigned to a broker")
    ResourceList<KafkaReplica> replicas(@PathVariable String clusterId, @PathVariable int brokerId) {
        cluster.broker(clusterId, brokerId);
        var replicas = cluster.image(clusterId).topics().all().stream()
                .flatMap(topic -> topic.partitions().stream()
                        .filter(partition -> partition.isReplica(brokerId))
                        .map(partition -> KafkaReplica.of(clusterId, topic.name(), partition, brokerId, links)))
                .toList();
        return ResourceList.whole("KafkaReplicaList",
                links.cluster(clusterId, "brokers", brokerId, "partition-replicas"), replicas);
    }
}
