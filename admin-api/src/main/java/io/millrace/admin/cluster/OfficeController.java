package io.millrace.admin.cluster;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

import io.millrace.admin.operation.Errand.Balance;
import io.millrace.admin.operation.Errand.Drain;
import io.millrace.admin.operation.Errand.Handover;
import io.millrace.admin.operation.Operation.Limits;
import io.millrace.admin.operation.OperationType;
import io.millrace.admin.operation.OperationViews;
import io.millrace.admin.operation.Operations;
import io.millrace.admin.problem.KafkaProblems;
import io.millrace.admin.problem.Problem;
import io.millrace.admin.resource.Links;
import io.millrace.admin.resource.ResourceList;
import io.millrace.admin.resource.ResourceMetadata;
import io.millrace.admin.upstream.Cluster;
import io.millrace.metadata.command.BalanceShards;
import io.millrace.metadata.command.DrainCoordinator;
import io.millrace.metadata.command.ResignController;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.NodeImage;
import io.millrace.metadata.image.ShardKind;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;
import lombok.RequiredArgsConstructor;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/// Who is the controller, and which coordinator owns what: changed on request.
@RestController
@RequestMapping(path = "/v3/clusters/{clusterId}", produces = MediaType.APPLICATION_JSON_VALUE)
@RequiredArgsConstructor
@Tag(name = "Clusters")
class OfficeController {
    private static final String OPERATION = "#/components/schemas/KafkaOperation";
    private static final int MOVES = 5;
    private static final Duration SOON = Duration.ofSeconds(3);
    private static final Duration LOOK_AGAIN = Duration.ofMillis(10);

    private final Cluster cluster;
    private final Operations operations;
    private final OperationViews views;
    private final Links links;

    /// @param reason for the controller's log
    @Schema(example = "{\"reason\": \"its host is about to be restarted\"}")
    record ResignRequest(@NotBlank @Size(max = 1_000) String reason) {}

    /// @param dryRun only say what would go where
    /// @param maxMoves handovers that may be under way; null: 5
    @Schema(example = "{\"dry_run\": true, \"max_moves\": 5}")
    record BalanceRequest(@Nullable Boolean dryRun, @Nullable @Min(1) @Max(1_000) Integer maxMoves) {}

    /// @param type `GROUP` or `TRANSACTION`
    record KafkaShardMove(String kind, ResourceMetadata metadata, String clusterId, String type, int shard, int from,
            int to, int fromBefore, int fromAfter, int toBefore, int toAfter) {}

    /// All that would go elsewhere.
    record KafkaShardMoveList(String kind, ResourceList.ListMetadata metadata, List<KafkaShardMove> data) {}

    @PostMapping("/controller:resign")
    @Operation(summary = "Have the controller give its office to a standby", description = "The operation is over when another is "
            + "active, most often with this answer; `takeover_ms` of its result says how long that took.")
    @ApiResponse(responseCode = "202", description = "Begun", content = @Content(schema = @Schema(ref = OPERATION)))
    @ApiResponse(responseCode = "409", ref = "#/components/responses/Conflict")
    ResponseEntity<Object> resign(@PathVariable String clusterId, @Valid @RequestBody ResignRequest request,
            HttpServletRequest http) {
        var image = cluster.image(clusterId);
        if (image.controllerId() < 0) {
            throw KafkaProblems.problem(Errors.NOT_CONTROLLER, "no controller is active");
        }
        int epoch = image.version().controllerEpoch();
        if (!cluster.command(new ResignController(image.controllerId(), epoch, request.reason())).resigned()) {
            throw Problem.conflict("Controller " + image.controllerId() + " is active no more.");
        }
        var operation = operations.begin(OperationType.RESIGN_CONTROLLER, null, http.getRemoteAddr(), Limits.DEFAULTS,
                new Handover(image.controllerId(), epoch, null, null));
        long deadline = System.nanoTime() + SOON.toNanos();
        while (cluster.image().version().controllerEpoch() <= epoch && System.nanoTime() - deadline < 0) {
            LockSupport.parkNanos(LOOK_AGAIN.toNanos());
        }
        operations.wake();
        return views.accepted(clusterId, operations.find(operation.id()));
    }

    @PostMapping("/coordinators:balance")
    @Operation(summary = "Even out what coordinators own", description = "The controller does so by itself every few seconds, a "
            + "few shards at a time; this names all that are under way. `dry_run` only says what would go where.")
    @ApiResponse(responseCode = "202", description = "Begun", content = @Content(schema = @Schema(ref = OPERATION)))
    @ApiResponse(responseCode = "200", description = "Planned only, as `dry_run` asked", content = @Content(schema = @Schema(implementation = KafkaShardMoveList.class)))
    @ApiResponse(responseCode = "409", ref = "#/components/responses/Conflict")
    ResponseEntity<Object> balance(@PathVariable String clusterId, @Valid @RequestBody BalanceRequest request,
            HttpServletRequest http) {
        cluster.image(clusterId);
        boolean dry = Boolean.TRUE.equals(request.dryRun());
        var moves = cluster.command(new BalanceShards(request.maxMoves() == null ? MOVES : request.maxMoves(), dry))
                .moves();
        if (dry) {
            return ResponseEntity.ok(shown(clusterId, moves));
        }
        return views.accepted(clusterId, operations.begin(OperationType.BALANCE_COORDINATORS, null, http
                .getRemoteAddr(), Limits.DEFAULTS, new Balance(moves.size(), moves.size())));
    }

    private KafkaShardMoveList shown(String clusterId, List<BalanceShards.ShardMove> moves) {
        var image = cluster.image();
        return new KafkaShardMoveList("KafkaShardMoveList", new ResourceList.ListMetadata(links.cluster(clusterId,
                "coordinators:balance"), null), moves.stream().map(move -> new KafkaShardMove("KafkaShardMove", links
                        .metadata(clusterId, new Object[]{"coordinator",
                                move.from(), "shard", move.shard()}, "coordinators", move.from()), clusterId, move
                                        .kind()
                                        .name(), move.shard(), move.from(), move.to(), owned(image, move.kind(), move
                                                .from()),
                        after(image, moves, move.kind(), move.from()), owned(image, move.kind(), move.to()), after(
                                image, moves, move.kind(), move.to())))
                        .toList());
    }

    private static int owned(ClusterImage image, ShardKind kind, int coordinator) {
        return image.shards(kind).ownedBy(coordinator).size();
    }

    private static int after(ClusterImage image, List<BalanceShards.ShardMove> moves, ShardKind kind,
            int coordinator) {
        long come = moves.stream().filter(move -> move.kind() == kind && move.to() == coordinator).count();
        long go = moves.stream().filter(move -> move.kind() == kind && move.from() == coordinator).count();
        return Math.toIntExact(owned(image, kind, coordinator) + come - go);
    }

    @PostMapping("/coordinators/{coordinatorId}:drain")
    @Operation(summary = "Have other coordinators own what a coordinator owns", description = "It serves each shard until another "
            + "is ready for it, and is given none until `:resume` or until it is restarted.")
    @ApiResponse(responseCode = "202", description = "Begun", content = @Content(schema = @Schema(ref = OPERATION)))
    @ApiResponse(responseCode = "409", ref = "#/components/responses/Conflict")
    ResponseEntity<Object> drain(@PathVariable String clusterId, @PathVariable int coordinatorId,
            HttpServletRequest http) {
        var node = node(clusterId, coordinatorId);
        int left = cluster.command(new DrainCoordinator(coordinatorId, true)).remaining();
        return views.accepted(clusterId, operations.begin(OperationType.DRAIN_COORDINATOR, null, http.getRemoteAddr(),
                Limits.DEFAULTS, new Drain(coordinatorId, node.epoch(), left, left, false)));
    }

    @PostMapping("/coordinators/{coordinatorId}:resume")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    @Operation(summary = "Give a coordinator that was drained its share again")
    @ApiResponse(responseCode = "204", description = "It is given shards, a few at a time")
    void resume(@PathVariable String clusterId, @PathVariable int coordinatorId) {
        cluster.command(new DrainCoordinator(node(clusterId, coordinatorId).id(), false));
    }

    private NodeImage node(String clusterId, int coordinatorId) {
        return cluster.image(clusterId).coordinator(coordinatorId).orElseThrow(() -> Problem.notFound("Coordinator "
                + coordinatorId + " cannot be found."));
    }
}
