package io.millrace.admin.config;

import java.util.List;

import io.millrace.admin.config.AlterConfigsRequest.Change;
import io.millrace.admin.config.AlterConfigsRequest.Kind;
import io.millrace.admin.problem.KafkaProblems;
import io.millrace.admin.resource.Links;
import io.millrace.admin.resource.ResourceList;
import io.millrace.admin.upstream.Cluster;
import io.millrace.metadata.command.AlterConfigs;
import io.millrace.metadata.command.AlterConfigs.ConfigAlteration;
import io.millrace.metadata.command.AlterConfigs.Op;
import io.millrace.metadata.command.AlterConfigs.OpType;
import io.millrace.metadata.image.ConfigResource;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping(path = "/v3/clusters/{clusterId}/topics/{topicName}", produces = MediaType.APPLICATION_JSON_VALUE)
@Tag(name = "Configs")
class TopicConfigController {
    private final Cluster cluster;
    private final ConfigReader reader;

    TopicConfigController(Cluster cluster, Links links) {
        this.cluster = cluster;
        this.reader = new ConfigReader(cluster, links);
    }

    record SetConfigRequest(@NotNull @Schema(example = "3600000") String value) {}

    @GetMapping("/configs")
    @Operation(summary = "List the settings of a topic")
    ResourceList<KafkaConfig> list(@PathVariable String clusterId, @PathVariable String topicName) {
        cluster.topic(clusterId, topicName);
        return reader.list(clusterId, cluster.anyBroker(), new ConfigOwner.Topic(topicName));
    }

    @GetMapping("/configs/{name}")
    @Operation(summary = "Describe a setting of a topic")
    KafkaConfig get(@PathVariable String clusterId, @PathVariable String topicName, @PathVariable String name) {
        cluster.topic(clusterId, topicName);
        return reader.get(clusterId, cluster.anyBroker(), new ConfigOwner.Topic(topicName), name);
    }

    @PutMapping("/configs/{name}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    @Operation(summary = "Change a setting of a topic")
    void set(@PathVariable String clusterId, @PathVariable String topicName, @PathVariable String name,
            @Valid @RequestBody SetConfigRequest request) {
        alter(clusterId, topicName, List.of(new Change(name, request.value(), Kind.SET)), false);
    }

    @DeleteMapping("/configs/{name}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    @Operation(summary = "Reset a setting of a topic to its default")
    void reset(@PathVariable String clusterId, @PathVariable String topicName, @PathVariable String name) {
        alter(clusterId, topicName, List.of(new Change(name, null, Kind.DELETE)), false);
    }

    @PostMapping("/configs:alter")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    @Operation(summary = "Change several settings of a topic, all or none")
    void alter(@PathVariable String clusterId, @PathVariable String topicName,
            @Valid @RequestBody AlterConfigsRequest request) {
        alter(clusterId, topicName, request.data(), Boolean.TRUE.equals(request.validateOnly()));
    }

    private void alter(String clusterId, String topicName, List<Change> changes, boolean validateOnly) {
        cluster.topic(clusterId, topicName);
        var alteration = new ConfigAlteration(ConfigResource.topic(topicName),
                changes.stream().map(TopicConfigController::operation).toList());
        var outcome = cluster.command(new AlterConfigs(List.of(alteration), validateOnly, false)).resources()
                .getFirst();
        KafkaProblems.check(outcome.errorCode(), outcome.message());
    }

    private static Op operation(Change change) {
        return new Op(change.name(), change.value(), kind(change.operation()));
    }

    private static OpType kind(@Nullable Kind kind) {
        return switch (kind) {
            case null -> OpType.SET;
            case SET -> OpType.SET;
            case DELETE -> OpType.DELETE;
            case APPEND -> OpType.APPEND;
            case SUBTRACT -> OpType.SUBTRACT;
        };
    }
}
