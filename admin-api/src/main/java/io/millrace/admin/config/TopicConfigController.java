package io.millrace.admin.config;

import java.util.List;

import io.millrace.admin.problem.Problem;
import io.millrace.admin.resource.Links;
import io.millrace.admin.resource.ResourceList;
import io.millrace.admin.upstream.Cluster;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
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
@RequestMapping(path = "/v3/clusters/{clusterId}/topics", produces = MediaType.APPLICATION_JSON_VALUE)
@Tag(name = "Configs")
class TopicConfigController {
    private final Cluster cluster;
    private final ConfigReader reader;
    private final ConfigWriter writer;

    TopicConfigController(Cluster cluster, Links links) {
        this.cluster = cluster;
        this.reader = new ConfigReader(cluster, links);
        this.writer = new ConfigWriter(cluster);
    }

    /// @param data changes of each topic
    @Schema(example = """
            {"data": [{"topic_name": "orders", "data": [{"name": "retention.ms", "value": "3600000"}]}], \
            "validate_only": false}""")
    record AlterTopicsRequest(@NotEmpty @Size(max = 1_000) List<@NotNull @Valid TopicChanges> data,
            @Nullable Boolean validateOnly) {

        record TopicChanges(@NotBlank @Size(max = 249) String topicName,
                @NotEmpty @Size(max = 1_000) List<AlterConfigsRequest.@NotNull @Valid Change> data) {}
    }

    @GetMapping("/-/configs")
    @Operation(summary = "List the settings that topics have of their own", description = "Of all topics, those that were "
            + "set for one of them.")
    ResourceList<KafkaConfig> all(@PathVariable String clusterId) {
        return reader.ofTopics(cluster.image(clusterId));
    }

    @PostMapping("/-/configs:alter")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    @Operation(summary = "Change settings of several topics, all or none")
    void alterAll(@PathVariable String clusterId, @Valid @RequestBody AlterTopicsRequest request) {
        cluster.image(clusterId);
        var names = request.data().stream().map(AlterTopicsRequest.TopicChanges::topicName).toList();
        if (names.stream().distinct().count() < names.size()) {
            throw Problem.badRequest("data names a topic twice");
        }
        names.forEach(name -> cluster.topic(clusterId, name));
        writer.alter(request.data()
                .stream()
                .map(topic -> ConfigWriter.alteration(new ConfigOwner.Topic(topic.topicName()), topic.data(), null))
                .toList(), Boolean.TRUE.equals(request.validateOnly()));
    }

    @GetMapping("/{topicName}/configs")
    @Operation(summary = "List the settings of a topic")
    ResponseEntity<ResourceList<KafkaConfig>> list(@PathVariable String clusterId, @PathVariable String topicName) {
        var owner = owner(clusterId, topicName);
        return ResponseEntity.ok().eTag(writer.tag(owner)).body(reader.list(clusterId, cluster.anyBroker(), owner));
    }

    @GetMapping("/{topicName}/configs/{name}")
    @Operation(summary = "Describe a setting of a topic")
    ResponseEntity<KafkaConfig> get(@PathVariable String clusterId, @PathVariable String topicName,
            @PathVariable String name) {
        var owner = owner(clusterId, topicName);
        return ResponseEntity.ok().eTag(writer.tag(owner)).body(reader.get(clusterId, cluster.anyBroker(), owner,
                name));
    }

    @PutMapping("/{topicName}/configs/{name}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    @Operation(summary = "Change a setting of a topic")
    void set(@PathVariable String clusterId, @PathVariable String topicName, @PathVariable String name,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            @Valid @RequestBody SetConfigRequest request) {
        writer.set(owner(clusterId, topicName), name, request.value(), ifMatch);
    }

    @DeleteMapping("/{topicName}/configs/{name}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    @Operation(summary = "Reset a setting of a topic to its default")
    void reset(@PathVariable String clusterId, @PathVariable String topicName, @PathVariable String name,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch) {
        writer.reset(owner(clusterId, topicName), name, ifMatch);
    }

    @PostMapping("/{topicName}/configs:alter")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    @Operation(summary = "Change several settings of a topic, all or none")
    void alter(@PathVariable String clusterId, @PathVariable String topicName,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            @Valid @RequestBody AlterConfigsRequest request) {
        writer.alter(owner(clusterId, topicName), request, ifMatch);
    }

    private ConfigOwner owner(String clusterId, String topicName) {
        return new ConfigOwner.Topic(cluster.topic(clusterId, topicName).name());
    }
}
