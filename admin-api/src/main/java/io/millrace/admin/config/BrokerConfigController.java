package io.millrace.admin.config;

import io.millrace.admin.resource.Links;
import io.millrace.admin.resource.ResourceList;
import io.millrace.admin.upstream.Cluster;
import io.millrace.metadata.image.NodeImage;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping(path = "/v3/clusters/{clusterId}/brokers", produces = MediaType.APPLICATION_JSON_VALUE)
@Tag(name = "Configs")
class BrokerConfigController {
    private final Cluster cluster;
    private final ConfigReader reader;
    private final ConfigWriter writer;

    BrokerConfigController(Cluster cluster, Links links) {
        this.cluster = cluster;
        this.reader = new ConfigReader(cluster, links);
        this.writer = new ConfigWriter(cluster);
    }

    @GetMapping("/-/configs")
    @Operation(summary = "List the settings of every broker", description = "Of those that answer.")
    ResourceList<KafkaConfig> all(@PathVariable String clusterId) {
        return reader.ofBrokers(cluster.image(clusterId));
    }

    @GetMapping("/{brokerId}/configs")
    @Operation(summary = "List the settings of a broker")
    ResponseEntity<ResourceList<KafkaConfig>> list(@PathVariable String clusterId, @PathVariable int brokerId) {
        var owner = new ConfigOwner.Broker(brokerId);
        return ResponseEntity.ok().eTag(writer.tag(owner)).body(reader.list(clusterId, broker(clusterId, brokerId),
                owner));
    }

    @GetMapping("/{brokerId}/configs/{name}")
    @Operation(summary = "Describe a setting of a broker")
    ResponseEntity<KafkaConfig> get(@PathVariable String clusterId, @PathVariable int brokerId,
            @PathVariable String name) {
        var owner = new ConfigOwner.Broker(brokerId);
        return ResponseEntity.ok().eTag(writer.tag(owner)).body(reader.get(clusterId, broker(clusterId, brokerId),
                owner, name));
    }

    @PutMapping("/{brokerId}/configs/{name}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    @Operation(summary = "Change a setting of a broker while it runs", description = "Those that are not read-only.")
    void set(@PathVariable String clusterId, @PathVariable int brokerId, @PathVariable String name,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            @Valid @RequestBody SetConfigRequest request) {
        broker(clusterId, brokerId);
        writer.set(new ConfigOwner.Broker(brokerId), name, request.value(), ifMatch);
    }

    @DeleteMapping("/{brokerId}/configs/{name}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    @Operation(summary = "Reset a setting of a broker to what it was started with, or what holds for all")
    void reset(@PathVariable String clusterId, @PathVariable int brokerId, @PathVariable String name,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch) {
        broker(clusterId, brokerId);
        writer.reset(new ConfigOwner.Broker(brokerId), name, ifMatch);
    }

    @PostMapping("/{brokerId}/configs:alter")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    @Operation(summary = "Change several settings of a broker while it runs, all or none")
    void alter(@PathVariable String clusterId, @PathVariable int brokerId,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            @Valid @RequestBody AlterConfigsRequest request) {
        broker(clusterId, brokerId);
        writer.alter(new ConfigOwner.Broker(brokerId), request, ifMatch);
    }

    private NodeImage broker(String clusterId, int brokerId) {
        return cluster.broker(clusterId, brokerId);
    }
}
