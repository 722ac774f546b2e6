package io.millrace.admin.config;

import io.millrace.admin.resource.Links;
import io.millrace.admin.resource.ResourceList;
import io.millrace.admin.upstream.Cluster;
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

/// What is set for all brokers while they run.
@RestController
@RequestMapping(path = "/v3/clusters/{clusterId}", produces = MediaType.APPLICATION_JSON_VALUE)
@Tag(name = "Configs")
class ClusterConfigController {
    private static final ConfigOwner ALL = new ConfigOwner.AllBrokers();

    private final Cluster cluster;
    private final ConfigReader reader;
    private final ConfigWriter writer;

    ClusterConfigController(Cluster cluster, Links links) {
        this.cluster = cluster;
        this.reader = new ConfigReader(cluster, links);
        this.writer = new ConfigWriter(cluster);
    }

    @GetMapping("/broker-configs")
    @Operation(summary = "List what is set for all brokers while they run")
    ResponseEntity<ResourceList<KafkaConfig>> list(@PathVariable String clusterId) {
        cluster.image(clusterId);
        return ResponseEntity.ok().eTag(writer.tag(ALL)).body(reader.list(clusterId, cluster.anyBroker(), ALL));
    }

    @GetMapping("/broker-configs/{name}")
    @Operation(summary = "Describe a setting of all brokers", description = "404 where it is not set for all of them.")
    ResponseEntity<KafkaConfig> get(@PathVariable String clusterId, @PathVariable String name) {
        cluster.image(clusterId);
        return ResponseEntity.ok().eTag(writer.tag(ALL)).body(reader.get(clusterId, cluster.anyBroker(), ALL, name));
    }

    @PutMapping("/broker-configs/{name}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    @Operation(summary = "Set something for all brokers while they run")
    void set(@PathVariable String clusterId, @PathVariable String name,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            @Valid @RequestBody SetConfigRequest request) {
        cluster.image(clusterId);
        writer.set(ALL, name, request.value(), ifMatch);
    }

    @DeleteMapping("/broker-configs/{name}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    @Operation(summary = "Reset something that was set for all brokers")
    void reset(@PathVariable String clusterId, @PathVariable String name,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch) {
        cluster.image(clusterId);
        writer.reset(ALL, name, ifMatch);
    }

    @PostMapping("/broker-configs:alter")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    @Operation(summary = "Set or reset several things for all brokers, all or none")
    void alter(@PathVariable String clusterId,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            @Valid @RequestBody AlterConfigsRequest request) {
        cluster.image(clusterId);
        writer.alter(ALL, request, ifMatch);
    }
}
