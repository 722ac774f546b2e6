package io.millrace.admin.reassignment;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

import io.millrace.admin.problem.Problem;
import io.millrace.admin.resource.Links;
import io.millrace.admin.resource.ResourceList;
import io.millrace.admin.upstream.Cluster;
import io.millrace.admin.upstream.Moves;
import io.millrace.metadata.command.AlterReassignments.Target;
import io.millrace.metadata.image.PartitionImage;
import io.millrace.metadata.image.TopicImage;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import lombok.RequiredArgsConstructor;
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
    @Operation(summary = "Move partitions", description = "All of them are checked before any is moved. A partition that is "
            + "on its way already goes to the new place instead.")
    @ApiResponse(responseCode = "202", description = "Begun: the rows say how")
    @ApiResponse(responseCode = "200", description = "Checked only, as `validate_only` asked: the rows say what would begin")
    ResponseEntity<ResourceList<KafkaReassignment>> move(@PathVariable String clusterId,
            @Valid @RequestBody ReassignmentRequest request) {
        cluster.image(clusterId);
        var targets = request.targets();
        var planned = targets.stream().map(target -> KafkaReassignment.planned(clusterId, target.topic(), cluster
                .partition(clusterId, target.topic(), target.partition()), request.replicasOf(target), links)).toList();
        moves.ask(targets, request.replicationFactorMayChange(), true);
        var rows = ResourceList.whole(KIND, links.cluster(clusterId, "reassignments"), planned);
        if (request.onlyValidated()) {
            return ResponseEntity.ok(rows);
        }
        moves.ask(targets, request.replicationFactorMayChange(), false);
        return ResponseEntity.accepted().body(ResourceList.whole(KIND, rows.metadata().self(), targets.stream().map(
                target -> begun(clusterId, target, request)).toList()));
    }

    /// A move that needed no copying is over by the time that it is answered.
    private KafkaReassignment begun(String clusterId, Target target, ReassignmentRequest request) {
        var now = cluster.partition(clusterId, target.topic(), target.partition());
        return now.isMoving()
                ? KafkaReassignment.of(clusterId, target.topic(), now, links)
                : KafkaReassignment.planned(clusterId, target.topic(), now, request.replicasOf(target), links).in(
                        "DONE");
    }
}
