package io.millrace.admin.topic;

import java.net.URI;
import java.util.Comparator;
import java.util.List;

import io.millrace.admin.operation.OperationViews;
import io.millrace.admin.plan.FactorChanges;
import io.millrace.admin.problem.KafkaProblems;
import io.millrace.admin.problem.Problem;
import io.millrace.admin.resource.Links;
import io.millrace.admin.resource.ResourceList;
import io.millrace.admin.upstream.Cluster;
import io.millrace.metadata.command.CreatePartitions;
import io.millrace.metadata.command.CreateTopics;
import io.millrace.metadata.command.DeleteTopics;
import io.millrace.metadata.command.DeleteTopics.TopicRef;
import io.millrace.metadata.image.TopicImage;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import lombok.RequiredArgsConstructor;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping(path = "/v3/clusters/{clusterId}/topics", produces = MediaType.APPLICATION_JSON_VALUE)
@RequiredArgsConstructor
@Tag(name = "Topics")
class TopicController {
    private final Cluster cluster;
    private final FactorChanges factors;
    private final OperationViews views;
    private final Links links;

    /// One of the two.
    ///
    /// @param partitionsCount how many partitions the topic shall have
    /// @param replicationFactor how many replicas each of them shall have
    @Schema(example = "{\"partitions_count\": 6}")
    record ChangeTopicRequest(@Nullable Integer partitionsCount,
            @Nullable @Min(1) @Max(1_000) Integer replicationFactor) {}

    @GetMapping
    @Operation(summary = "List topics", description = "By name; `prefix` is literal.")
    ResourceList<KafkaTopic> list(@PathVariable String clusterId, @RequestParam(defaultValue = "") String prefix,
            @RequestParam(defaultValue = "true") boolean internal) {
        List<KafkaTopic> topics = cluster.image(clusterId).topics().all().stream()
                .filter(topic -> topic.name().startsWith(prefix))
                .filter(topic -> internal || !TopicNames.isInternal(topic.name()))
                .sorted(Comparator.comparing(TopicImage::name))
                .map(topic -> KafkaTopic.of(clusterId, topic, links))
                .toList();
        return ResourceList.whole("KafkaTopicList", links.cluster(clusterId, "topics"), topics);
    }

    @PostMapping
    @Operation(summary = "Create a topic", description = "Answers once every live node knows the topic.")
    @ApiResponse(responseCode = "201", description = "Created")
    @ApiResponse(responseCode = "200", description = "Checked only, as `validate_only` asked")
    ResponseEntity<KafkaTopic> create(@PathVariable String clusterId, @Valid @RequestBody CreateTopicRequest request) {
        cluster.image(clusterId);
        boolean validateOnly = Boolean.TRUE.equals(request.validateOnly());
        var outcome = cluster
                .command(new CreateTopics(List.of(request.toCommand()), validateOnly, cluster.timeout().toMillis()))
                .topics().getFirst();
        KafkaProblems.check(outcome.errorCode(), outcome.message());
        if (validateOnly) {
            return ResponseEntity.ok(KafkaTopic.planned(clusterId, request.topicName(), outcome.replicationFactor(),
                    outcome.partitions(), links));
        }
        var created = KafkaTopic.of(clusterId, cluster.topic(clusterId, request.topicName()), links);
        return ResponseEntity.created(URI.create(created.metadata().self())).body(created);
    }

    @GetMapping("/{topicName}")
    @Operation(summary = "Describe a topic")
    KafkaTopic get(@PathVariable String clusterId, @PathVariable String topicName) {
        return KafkaTopic.of(clusterId, cluster.topic(clusterId, topicName), links);
    }

    @PatchMapping("/{topicName}")
    @Operation(summary = "Grow a topic, or change how many replicas it has", description = "The number of partitions can only go up. "
            + "Another number of replicas is an operation, since data are copied for it.")
    @ApiResponse(responseCode = "200", description = "Grown", content = @Content(schema = @Schema(ref = "#/components/schemas/KafkaTopic")))
    @ApiResponse(responseCode = "202", description = "Begun, as `replication_factor` asked", content = @Content(schema = @Schema(ref = "#/components/schemas/KafkaOperation")))
    @ApiResponse(responseCode = "409", ref = "#/components/responses/Conflict")
    ResponseEntity<Object> change(@PathVariable String clusterId, @PathVariable String topicName,
            @Valid @RequestBody ChangeTopicRequest request, HttpServletRequest http) {
        cluster.topic(clusterId, topicName);
        var partitions = request.partitionsCount();
        var factor = request.replicationFactor();
        if (partitions != null && factor == null) {
            grow(topicName, partitions);
            return ResponseEntity.ok(get(clusterId, topicName));
        }
        if (factor != null && partitions == null) {
            return views.accepted(clusterId, factors.begin(topicName, factor, http.getRemoteAddr()));
        }
        throw Problem.badRequest("partitions_count or replication_factor, and not both");
    }

    private void grow(String topicName, int partitions) {
        var wanted = new CreatePartitions.PartitionsSpec(topicName, partitions, List.of());
        var outcome = cluster.command(new CreatePartitions(List.of(wanted), false, cluster.timeout().toMillis()))
                .topics().getFirst();
        KafkaProblems.check(outcome.errorCode(), outcome.message());
    }

    @DeleteMapping("/{topicName}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    @Operation(summary = "Delete a topic and all its records")
    void delete(@PathVariable String clusterId, @PathVariable String topicName) {
        cluster.topic(clusterId, topicName);
        var outcome = cluster.command(new DeleteTopics(List.of(TopicRef.named(topicName)), cluster.timeout()
                .toMillis()))
                .topics().getFirst();
        KafkaProblems.check(outcome.errorCode(), outcome.message());
    }
}
