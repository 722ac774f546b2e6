package io.millrace.admin.config;

import java.util.List;

import io.millrace.admin.problem.KafkaProblems;
import io.millrace.admin.problem.Problem;
import io.millrace.admin.resource.Links;
import io.millrace.admin.resource.ResourceList;
import io.millrace.admin.resource.ResourceMetadata;
import io.millrace.admin.upstream.Cluster;
import io.millrace.metadata.image.NodeImage;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import lombok.RequiredArgsConstructor;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.DescribeConfigsRequestData;
import org.apache.kafka.common.message.DescribeConfigsRequestData.DescribeConfigsResource;
import org.apache.kafka.common.message.DescribeConfigsResponseData;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterConfigsResource;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterableConfig;
import org.apache.kafka.common.message.IncrementalAlterConfigsResponseData;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/// Levels of a broker's loggers, asked of itself.
@RestController
@RequestMapping(path = "/v3/clusters/{clusterId}/brokers/{brokerId}/loggers", produces = MediaType.APPLICATION_JSON_VALUE)
@RequiredArgsConstructor
@Tag(name = "Configs")
class LoggerController {
    private static final byte LOGGER = ConfigResource.Type.BROKER_LOGGER.id();
    private static final byte SET = 0;
    private static final byte DELETE = 1;

    private final Cluster cluster;
    private final Links links;

    /// @param level that it goes by
    record KafkaLogger(String kind, ResourceMetadata metadata, String clusterId, int brokerId, String name,
            @Nullable String level) {}

    /// What a logger lets through.
    enum Level {
        FATAL, ERROR, WARN, INFO, DEBUG, TRACE, OFF
    }

    record SetLevelRequest(@NotNull @Schema(example = "DEBUG") Level level) {}

    @GetMapping
    @Operation(summary = "List the loggers of a broker")
    ResourceList<KafkaLogger> list(@PathVariable String clusterId, @PathVariable int brokerId) {
        return ResourceList.whole("KafkaLoggerList", links.cluster(clusterId, "brokers", brokerId, "loggers"), levels(
                clusterId, brokerId, null));
    }

    @GetMapping("/{name}")
    @Operation(summary = "Describe a logger of a broker")
    KafkaLogger get(@PathVariable String clusterId, @PathVariable int brokerId, @PathVariable String name) {
        return levels(clusterId, brokerId, name).stream().findFirst().orElseThrow(() -> Problem.notFound("Logger "
                + name + " cannot be found on broker " + brokerId + "."));
    }

    @PutMapping("/{name}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    @Operation(summary = "Give a logger a level", description = "It holds until the broker ends.")
    void set(@PathVariable String clusterId, @PathVariable int brokerId, @PathVariable String name,
            @Valid @RequestBody SetLevelRequest request) {
        get(clusterId, brokerId, name);
        alter(cluster.broker(clusterId, brokerId), new AlterableConfig().setName(name)
                .setValue(request.level().name())
                .setConfigOperation(SET));
    }

    @DeleteMapping("/{name}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    @Operation(summary = "Have a logger go by its parent again")
    void reset(@PathVariable String clusterId, @PathVariable int brokerId, @PathVariable String name) {
        get(clusterId, brokerId, name);
        alter(cluster.broker(clusterId, brokerId), new AlterableConfig().setName(name)
                .setValue(null)
                .setConfigOperation(DELETE));
    }

    private void alter(NodeImage broker, AlterableConfig change) {
        var resource = new AlterConfigsResource().setResourceType(LOGGER).setResourceName(Integer.toString(broker
                .id()));
        resource.configs().add(change);
        var request = new IncrementalAlterConfigsRequestData();
        request.resources().add(resource);
        var told = Cluster.join(cluster.<IncrementalAlterConfigsResponseData>ask(broker, request)).responses()
                .getFirst();
        KafkaProblems.check(told.errorCode(), told.errorMessage());
    }

    private List<KafkaLogger> levels(String clusterId, int brokerId, @Nullable String name) {
        var resource = new DescribeConfigsResource().setResourceType(LOGGER).setResourceName(Integer.toString(brokerId))
                .setConfigurationKeys(name == null ? null : List.of(name));
        var told = Cluster.join(cluster.<DescribeConfigsResponseData>ask(cluster.broker(clusterId, brokerId),
                new DescribeConfigsRequestData().setResources(List.of(resource)))).results().getFirst();
        KafkaProblems.check(told.errorCode(), told.errorMessage());
        return told.configs().stream().map(entry -> new KafkaLogger("KafkaLogger", links.metadata(clusterId,
                new Object[]{"broker", brokerId, "logger", entry.name()}, "brokers", brokerId, "loggers", entry
                        .name()), clusterId, brokerId, entry.name(), entry.value())).toList();
    }
}
