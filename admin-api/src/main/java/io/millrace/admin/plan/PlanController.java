package io.millrace.admin.plan;

import java.util.List;
import java.util.Map;
import java.util.TreeSet;

import io.millrace.admin.operation.Move;
import io.millrace.admin.operation.Operation.Limits;
import io.millrace.admin.operation.OperationType;
import io.millrace.admin.operation.OperationViews;
import io.millrace.admin.operation.Operations;
import io.millrace.admin.problem.Problem;
import io.millrace.admin.resource.Links;
import io.millrace.admin.upstream.Cluster;
import io.millrace.admin.upstream.LogDirs;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Min;
import lombok.RequiredArgsConstructor;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/// Plans of moves, and what brokers are to be freed of.
@RestController
@RequestMapping(path = "/v3/clusters/{clusterId}", produces = MediaType.APPLICATION_JSON_VALUE)
@RequiredArgsConstructor
@Tag(name = "Reassignments")
class PlanController {
    private final Cluster cluster;
    private final LogDirs directories;
    private final Plans plans;
    private final Operations operations;
    private final OperationViews views;
    private final Links links;

    /// @param throttleBytesPerSec null: none
    /// @param dryRun only plan
    @Schema(example = "{\"dry_run\": true}")
    record DecommissionRequest(@Nullable @Min(1) Long throttleBytesPerSec, @Nullable Boolean dryRun) {}

    @PostMapping("/reassignments:plan")
    @Operation(summary = "Plan moves", description = "Nothing is moved: `POST …/reassignments` with the plan's id does it, within "
            + "an hour, and if partitions are still where they were.")
    KafkaReassignmentPlan plan(@PathVariable String clusterId, @Valid @RequestBody PlanRequest request) {
        var image = cluster.image(clusterId);
        if (request.topics() != null) {
            request.topics().forEach(name -> cluster.topic(clusterId, name));
        }
        var sizes = directories.sizes();
        var moves = new Planner(image, sizes).plan(request);
        return shown(request.goal().name(), moves, request.throttleBytesPerSec(), sizes);
    }

    private KafkaReassignmentPlan shown(String goal, List<Move> moves, @Nullable Long throttle,
            Map<TopicPartition, Long> sizes) {
        var image = cluster.image();
        return KafkaReassignmentPlan.of(plans.add(goal, image, moves, throttle), image, sizes, links);
    }

    @GetMapping("/reassignments/plans/{planId}")
    @Operation(summary = "Describe a plan")
    KafkaReassignmentPlan get(@PathVariable String clusterId, @PathVariable String planId) {
        var image = cluster.image(clusterId);
        return KafkaReassignmentPlan.of(plans.find(planId), image, directories.sizes(), links);
    }

    @PostMapping("/brokers/{brokerId}:decommission")
    @Operation(summary = "Move everything off a broker", description = "To the brokers that bear least, in other racks where "
            + "there are some; `dry_run` only plans it.")
    @ApiResponse(responseCode = "202", description = "Begun", content = @Content(schema = @Schema(ref = "#/components/schemas/KafkaOperation")))
    @ApiResponse(responseCode = "200", description = "Planned only, as `dry_run` asked", content = @Content(schema = @Schema(ref = "#/components/schemas/KafkaReassignmentPlan")))
    @ApiResponse(responseCode = "409", ref = "#/components/responses/Conflict")
    ResponseEntity<Object> decommission(@PathVariable String clusterId, @PathVariable int brokerId,
            @Valid @RequestBody DecommissionRequest request, HttpServletRequest http) {
        cluster.broker(clusterId, brokerId);
        var sizes = directories.sizes();
        var planner = new Planner(cluster.image(), sizes);
        planner.remove(new TreeSet<>(List.of(brokerId)), _ -> true);
        var moves = planner.layout().moves();
        return begunOrShown(clusterId, OperationType.DECOMMISSION, brokerId, request, moves, sizes, http);
    }

    @PostMapping("/brokers/{brokerId}:recommission")
    @Operation(summary = "Move back onto a broker what was moved off it", description = "By the last `:decommission`; partitions "
            + "that have moved since stay as they are. `dry_run` only plans it.")
    @ApiResponse(responseCode = "202", description = "Begun", content = @Content(schema = @Schema(ref = "#/components/schemas/KafkaOperation")))
    @ApiResponse(responseCode = "200", description = "Planned only, as `dry_run` asked", content = @Content(schema = @Schema(ref = "#/components/schemas/KafkaReassignmentPlan")))
    @ApiResponse(responseCode = "409", ref = "#/components/responses/Conflict")
    ResponseEntity<Object> recommission(@PathVariable String clusterId, @PathVariable int brokerId,
            @Valid @RequestBody DecommissionRequest request, HttpServletRequest http) {
        cluster.broker(clusterId, brokerId);
        var sizes = directories.sizes();
        var back = wayBack(OperationType.DECOMMISSION, brokerId, "decommissioned", sizes);
        return begunOrShown(clusterId, OperationType.RECOMMISSION, brokerId, request, back, sizes, http);
    }

    private ResponseEntity<Object> begunOrShown(String clusterId, OperationType type, int brokerId,
            DecommissionRequest request, List<Move> moves, Map<TopicPartition, Long> sizes, HttpServletRequest http) {
        var goal = type == OperationType.DECOMMISSION ? PlanRequest.Goal.REMOVE_BROKERS : PlanRequest.Goal.ADD_BROKERS;
        return Boolean.TRUE.equals(request.dryRun())
                ? ResponseEntity.ok(shown(goal.name(), moves, request.throttleBytesPerSec(), sizes))
                : views.accepted(clusterId, operations.begin(type, brokerId, http.getRemoteAddr(), new Limits(request
                        .throttleBytesPerSec(), Limits.DEFAULTS.maxPartitionsPerBroker()), moves, true));
    }

    /// The moves of the last operation of that type turned round, where nothing else has moved since.
    ///
    /// @throws Problem where there was none that is over
    private List<Move> wayBack(OperationType type, int brokerId, String word, Map<TopicPartition, Long> sizes) {
        var last = operations.all().stream().filter(one -> one.type() == type && one.subject() != null
                && one.subject() == brokerId && one.state().over()).findFirst().orElseThrow(() -> Problem.conflict(
                        "Broker " + brokerId + " was not " + word + "."));
        return last.moves().stream().filter(move -> cluster.image().partition(move.topic(), move.partition())
                .filter(now -> !now.isMoving() && now.replicas().equals(move.to())).isPresent()).map(move -> Move
                        .queued(move.topic(), move.partition(), move.to(), move.from(), sizes.getOrDefault(
                                new TopicPartition(move.topic(), move.partition()), 0L))).toList();
    }

    @PostMapping("/brokers/{brokerId}:drain-leaders")
    @Operation(summary = "Have other brokers lead what a broker leads", description = "Nothing is copied. They stay away until "
            + "`:resume-leaders`. What nobody else is in sync for stays.")
    @ApiResponse(responseCode = "202", description = "Begun", content = @Content(schema = @Schema(ref = "#/components/schemas/KafkaOperation")))
    @ApiResponse(responseCode = "409", ref = "#/components/responses/Conflict")
    ResponseEntity<Object> drain(@PathVariable String clusterId, @PathVariable int brokerId, HttpServletRequest http) {
        cluster.broker(clusterId, brokerId);
        var layout = new Layout(cluster.image(), Map.of());
        for (var partition : List.copyOf(layout.partitions())) {
            var replicas = layout.replicas(partition);
            if (replicas.getFirst() == brokerId) {
                replicas.stream().filter(id -> id != brokerId && layout.brokers().contains(id) && layout.inSync(
                        partition, id)).min(java.util.Comparator.comparingLong(id -> layout.load(id).leaders()))
                        .ifPresent(next -> layout.put(partition, Layout.first(replicas, next)));
            }
        }
        return views.accepted(clusterId, operations.begin(OperationType.DRAIN_LEADERS, brokerId, http.getRemoteAddr(),
                Limits.DEFAULTS, layout.moves(), true));
    }

    @PostMapping("/brokers/{brokerId}:resume-leaders")
    @Operation(summary = "Have a broker lead again what was taken from it", description = "By the last `:drain-leaders`; "
            + "partitions that have moved since stay as they are.")
    @ApiResponse(responseCode = "202", description = "Begun", content = @Content(schema = @Schema(ref = "#/components/schemas/KafkaOperation")))
    @ApiResponse(responseCode = "409", ref = "#/components/responses/Conflict")
    ResponseEntity<Object> resume(@PathVariable String clusterId, @PathVariable int brokerId, HttpServletRequest http) {
        cluster.broker(clusterId, brokerId);
        return views.accepted(clusterId, operations.begin(OperationType.RESUME_LEADERS, brokerId, http.getRemoteAddr(),
                Limits.DEFAULTS, wayBack(OperationType.DRAIN_LEADERS, brokerId, "drained", Map.of()), true));
    }
}
