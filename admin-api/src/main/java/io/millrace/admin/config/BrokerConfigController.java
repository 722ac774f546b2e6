package io.millrace.admin.config;

import io.millrace.admin.resource.Links;
import io.millrace.admin.resource.ResourceList;
import io.millrace.admin.upstream.Cluster;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping(path = "/v3/clusters/{clusterId}/brokers/{brokerId}/configs", produces = MediaType.APPLICATION_JSON_VALUE)
@Tag(name = "Configs")
class BrokerConfigController {
    private final Cluster cluster;
    private final ConfigReader reader;

    BrokerConfigController(Cluster cluster, Links links) {
        this.cluster = cluster;
        this.reader = new ConfigReader(cluster, links);
    }

    @GetMapping
    @Operation(summary = "List the settings of a broker")
    ResourceList<KafkaConfig> list(@PathVariable String clusterId, @PathVariable int brokerId) {
        return reader.list(clusterId, cluster.broker(clusterId, brokerId), new ConfigOwner.Broker(brokerId));
    }

    @GetMapping("/{name}")
    @Operation(summary = "Describe a setting of a broker")
    KafkaConfig get(@PathVariable String clusterId, @PathVariable int brokerId, @PathVariable String name) {
        return reader.get(clusterId, cluster.broker(clusterId, brokerId), new ConfigOwner.Broker(brokerId), name);
    }
}
