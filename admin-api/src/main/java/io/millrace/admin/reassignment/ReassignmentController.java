package io.millrace.admin.reassignment;

import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.millrace.admin.operation.Move;
import io.millrace.admin.operation.OperationType;
import io.millrace.admin.operation.OperationViews;
import io.millrace.admin.operation.Operations;
import io.millrace.admin.plan.Plans;
import io.millrace.admin.problem.Problem;
import io.millrace.admin.resource.Links;
import io.millrace.admin.resource.ResourceList;
import io.millrace.admin.upstream.Cluster;
import io.millrace.admin.upstream.LogDirs;
import io.millrace.admin.upstream.Moves;
import io.millrace.metadata.command.AlterReassignments.Target;
import io.millrace.metadata.image.PartitionImage;
import io.millrace.metadata.image.TopicImage;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.validation.Valid;
import lombok.RequiredArgsConstructor;
import org.apache.kafka.common.TopicPartition;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping(path = "/v3/clusters/{clusterId}", produces = MediaType.APPLICATION_JSON_VALUE)
@RequiredArgsConstructor
@Tag(name = "Reassignments")
class ReassignmentController {
    private static final String KIND = "KafkaReassignmentList";

    private final Cluster cluster;
    private final Moves moves;
    private final Plans plans;
    private final Operations operations;
    private final OperationViews views;
    private final LogDirs directories;
    private final Links links;

    @GetMapping("/topics/-/partitions/-/reassignment")
    @Operation(summary = "List the partitions that are being moved")
    ResourceList<KafkaReassignment> all(@PathVariable String clusterId) {
        return list(clusterId, links.cluster(clusterId, "topics", "-", "partitions", "-", "reassignment"));
    }

    @GetMapping("/reassignments")
    @Operation(summary = "List the moves that are running", description = "What moves, whoever asked for it.")
    ResourceList<KafkaReassignment> running(@PathVariable String clusterId) {
        return list(clusterId, links.cluster(clusterId, "reassignments"));
    }

    private ResourceList<KafkaReassignment> list(String clusterId, String self) {
        return ResourceList.whole(KIND, self, cluster.image(clusterId)
                .topics()
                .all()
                .stream()
                .sorted(Comparator.comparing(TopicImage::name))
                .flatMap(topic -> moving(clusterId, topic))
                .toList());
    }

    @GetMapping("/topics/{topicName}/partitions/-/reassignment")
    @Operation(summary = "List the partitions of a topic that are being moved")
    ResourceList<KafkaReassignment> ofTopic(@PathVariable String clusterId, @PathVariable String topicName) {
        return ResourceList.whole(KIND, links.cluster(clusterId, "topics", topicName, "partitions", "-",
                "reassignment"), moving(clusterId, cluster.topic(clusterId, topicName)).toList());
    }

    private Stream<KafkaReassignment> moving(String clusterId, TopicImage topic) {
        return topic.partitions()
                .stream()
                .filter(PartitionImage::isMoving)
                .map(partition -> KafkaReassignment.of(clusterId, topic.name(), partition, links));
    }

    @GetMapping("/topics/{topicName}/partitions/{partitionId}/reassignment")
    @Operation(summary = "How a partition is being moved", description = "404 where it is not.")
    KafkaReassignment get(@PathVariable String clusterId, @PathVariable String topicName,
            @PathVariable int partitionId) {
        var partition = cluster.partition(clusterId, topicName, partitionId);
        if (!partition.isMoving()) {
            throw Problem.notFound("Partition %s-%d is not being moved.".formatted(topicName, partitionId));
        }
        return KafkaReassignment.of(clusterId, topicName, partition, links);
    }

    @DeleteMapping("/topics/{topicName}/partitions/{partitionId}/reassignment")
    @ResponseStatus(HttpStatus.ACCEPTED)
    @Operation(summary = "Call a move off", description = "The partition goes back to the replicas it came from.")
    @ApiResponse(responseCode = "202", description = "Called off")
    void callOff(@PathVariable String clusterId, @PathVariable String topicName, @PathVariable int partitionId) {
        cluster.partition(clusterId, topicName, partitionId);
        moves.ask(List.of(new Target(topicName, partitionId, null)), true, false);
    }

    @PostMapping("/reassignments")
    @Operation(summary = "Move partitions", description = "By a plan, or those that are named. All of them are checked before "
            + "any is moved; then they are moved as an operation, which can be slowed, paused and called off.")
    @ApiResponse(responseCode = "202", description = "Begun", content = @Content(schema = @Schema(ref = "#/components/schemas/KafkaOperation")))
    @ApiResponse(responseCode = "200", description = "Checked only, as `validate_only` asked: the rows say what would begin", content = @Content(schema = @Schema(ref = "#/components/schemas/ResourceListKafkaReassignment")))
    @ApiResponse(responseCode = "409", ref = "#/components/responses/Conflict")
    @ApiResponse(responseCode = "412", ref = "#/components/responses/Stale")
    ResponseEntity<Object> move(@PathVariable String clusterId, @Valid @RequestBody ReassignmentRequest request,
            HttpServletRequest http) {
        var image = cluster.image(clusterId);
        var wanted = request.planId() != null && request.partitions() == null
                ? plans.current(request.planId(), image)
                : named(clusterId, request);
        if (request.onlyValidated()) {
            moves.ask(wanted.stream().map(move -> new Target(move.topic(), move.partition(), move.to())).toList(),
                    request.replicationFactorMayChange(), true);
            return ResponseEntity.ok(ResourceList.whole(KIND, links.cluster(clusterId, "reassignments"), wanted.stream()
                    .map(move -> KafkaReassignment.planned(clusterId, move.topic(), cluster.partition(clusterId, move
                            .topic(), move.partition()), move.to(), links)).toList()));
        }
        return views.accepted(clusterId, operations.begin(OperationType.REASSIGNMENT, null, http.getRemoteAddr(),
                request
                        .limits(), wanted, request.replicationFactorMayChange()));
    }

    private List<Move> named(String clusterId, ReassignmentRequest request) {
        var targets = request.targets();
        var known = targets.stream().map(target -> cluster.partition(clusterId, target.topic(), target.partition()))
                .toList();
        var sizes = directories.sizes();
        return IntStream.range(0, targets.size()).mapToObj(i -> {
            var target = targets.get(i);
            var from = known.get(i).replicas().stream().filter(id -> !known.get(i).adding().contains(id)).toList();
            return Move.queued(target.topic(), target.partition(), from, request.replicasOf(target), sizes.getOrDefault(
                    new TopicPartition(target.topic(), target.partition()), 0L));
        }).toList();
    }
}
