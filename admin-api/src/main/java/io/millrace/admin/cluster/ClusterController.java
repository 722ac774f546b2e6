package io.millrace.admin.cluster;

import java.util.List;

import io.millrace.admin.resource.Links;
import io.millrace.admin.resource.ResourceList;
import io.millrace.admin.upstream.Cluster;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import lombok.RequiredArgsConstructor;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping(path = "/v3/clusters", produces = MediaType.APPLICATION_JSON_VALUE)
@RequiredArgsConstructor
@Tag(name = "Clusters")
class ClusterController {
    private final Cluster cluster;
    private final Links links;

    @GetMapping
    @Operation(summary = "List the clusters that this service knows")
    ResourceList<KafkaCluster> list() {
        return ResourceList.whole("KafkaClusterList", links.clusters(), List.of(KafkaCluster.of(cluster.image(),
                links)));
    }

    @GetMapping("/{clusterId}")
    @Operation(summary = "Describe a cluster")
    KafkaCluster get(@PathVariable String clusterId) {
        return KafkaCluster.of(cluster.image(clusterId), links);
    }

    @GetMapping("/{clusterId}/controller")
    @Operation(summary = "Describe the active controller")
    KafkaController controller(@PathVariable String clusterId) {
        return KafkaController.of(cluster.image(clusterId), links);
    }

    @GetMapping("/{clusterId}/services")
    @Operation(summary = "List every process of the cluster")
    ResourceList<KafkaService> services(@PathVariable String clusterId) {
        return ResourceList.whole("KafkaServiceList", links.cluster(clusterId, "services"),
                KafkaService.all(cluster.image(clusterId), links));
    }
}
