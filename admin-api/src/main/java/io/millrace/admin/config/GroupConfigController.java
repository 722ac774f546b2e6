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

/// Settings of groups of the newer protocol. A group that nobody has joined yet may have some.
@RestController
@RequestMapping(path = "/v3/clusters/{clusterId}/consumer-groups/{groupId}", produces = MediaType.APPLICATION_JSON_VALUE)
@Tag(name = "Configs")
class GroupConfigController {
    private final Cluster cluster;
    private final ConfigReader reader;
    private final ConfigWriter writer;

    GroupConfigController(Cluster cluster, Links links) {
        this.cluster = cluster;
        this.reader = new ConfigReader(cluster, links);
        this.writer = new ConfigWriter(cluster);
    }

    @GetMapping("/configs")
    @Operation(summary = "List the settings of a group")
    ResponseEntity<ResourceList<KafkaConfig>> list(@PathVariable String clusterId, @PathVariable String groupId) {
        var owner = owner(clusterId, groupId);
        return ResponseEntity.ok().eTag(writer.tag(owner)).body(reader.list(clusterId, cluster.anyBroker(), owner));
    }

    @GetMapping("/configs/{name}")
    @Operation(summary = "Describe a setting of a group")
    ResponseEntity<KafkaConfig> get(@PathVariable String clusterId, @PathVariable String groupId,
            @PathVariable String name) {
        var owner = owner(clusterId, groupId);
        return ResponseEntity.ok().eTag(writer.tag(owner)).body(reader.get(clusterId, cluster.anyBroker(), owner,
                name));
    }

    @PutMapping("/configs/{name}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    @Operation(summary = "Change a setting of a group")
    void set(@PathVariable String clusterId, @PathVariable String groupId, @PathVariable String name,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            @Valid @RequestBody SetConfigRequest request) {
        writer.set(owner(clusterId, groupId), name, request.value(), ifMatch);
    }

    @DeleteMapping("/configs/{name}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    @Operation(summary = "Reset a setting of a group to its default")
    void reset(@PathVariable String clusterId, @PathVariable String groupId, @PathVariable String name,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch) {
        writer.reset(owner(clusterId, groupId), name, ifMatch);
    }

    @PostMapping("/configs:alter")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    @Operation(summary = "Change several settings of a group, all or none")
    void alter(@PathVariable String clusterId, @PathVariable String groupId,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            @Valid @RequestBody AlterConfigsRequest request) {
        writer.alter(owner(clusterId, groupId), request, ifMatch);
    }

    private ConfigOwner owner(String clusterId, String groupId) {
        cluster.image(clusterId);
        return new ConfigOwner.Group(groupId);
    }
}
