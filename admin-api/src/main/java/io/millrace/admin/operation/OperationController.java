package io.millrace.admin.operation;

import java.util.List;

import io.millrace.admin.operation.Operation.State;
import io.millrace.admin.problem.Problem;
import io.millrace.admin.resource.Links;
import io.millrace.admin.resource.ResourceList;
import io.millrace.admin.upstream.Cluster;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Min;
import lombok.RequiredArgsConstructor;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/// Long work seen, slowed, paused and called off; that which moves partitions under `/reassignments/{id}` too.
@RestController
@RequestMapping(path = "/v3/clusters/{clusterId}", produces = MediaType.APPLICATION_JSON_VALUE)
@RequiredArgsConstructor
@Tag(name = "Operations")
class OperationController {
    private final Cluster cluster;
    private final Operations operations;
    private final OperationViews views;
    private final Links links;

    /// What a change asks for.
    enum Wanted {
        RUNNING, PAUSED
    }

    /// @param throttleBytesPerSec 0 takes the throttle away
    @Schema(example = "{\"state\": \"PAUSED\"}")
    record ChangeRequest(@Nullable Wanted state, @Nullable @Min(0) Long throttleBytesPerSec) {}

    @GetMapping("/operations")
    @Operation(summary = "List operations", description = "The newest first; those that are over are kept for a week.")
    ResourceList<KafkaOperation> list(@PathVariable String clusterId,
            @RequestParam(required = false) @Nullable String state,
            @RequestParam(required = false) @Nullable String type) {
        cluster.image(clusterId);
        List<KafkaOperation> found = operations.all().stream()
                .filter(one -> state == null || one.state().name().equals(state))
                .filter(one -> type == null || one.type().name().equals(type))
                .map(one -> views.of(clusterId, one))
                .toList();
        return ResourceList.whole("KafkaOperationList", links.cluster(clusterId, "operations"), found);
    }

    @GetMapping({"/operations/{operationId}", "/reassignments/{operationId}"})
    @Operation(summary = "Describe an operation", description = "With each of its partitions, and why one stands still.")
    KafkaOperation get(@PathVariable String clusterId, @PathVariable String operationId) {
        cluster.image(clusterId);
        return views.of(clusterId, operations.find(operationId));
    }

    @PatchMapping({"/operations/{operationId}", "/reassignments/{operationId}"})
    @Operation(summary = "Pause, resume or slow an operation", description = "Paused, it begins nothing, and copies next to "
            + "nothing of what has begun.")
    @ApiResponse(responseCode = "200", description = "Changed", useReturnTypeSchema = true)
    @ApiResponse(responseCode = "409", ref = "#/components/responses/Conflict")
    KafkaOperation change(@PathVariable String clusterId, @PathVariable String operationId,
            @Valid @RequestBody ChangeRequest request) {
        cluster.image(clusterId);
        if (request.state() == null && request.throttleBytesPerSec() == null) {
            throw Problem.badRequest("state or throttle_bytes_per_sec, or both");
        }
        return views.of(clusterId, operations.change(operationId, known -> changed(known, request)));
    }

    private static io.millrace.admin.operation.Operation changed(io.millrace.admin.operation.Operation known,
            ChangeRequest request) {
        if (known.cancelling() && request.state() == Wanted.PAUSED) {
            throw Problem.conflict("The operation is being called off.");
        }
        if (known.errand() != null && !(known.errand() instanceof Errand.LogMoves)) {
            throw Problem.conflict("An operation of type " + known.type() + " is neither paused nor slowed.");
        }
        var next = switch (request.state()) {
            case null -> known;
            case RUNNING -> known.in(State.RUNNING);
            case PAUSED -> known.in(State.PAUSED);
        };
        var throttle = request.throttleBytesPerSec();
        return throttle == null ? next : next.throttledTo(throttle == 0 ? null : throttle);
    }

    @DeleteMapping({"/operations/{operationId}", "/reassignments/{operationId}"})
    @ResponseStatus(HttpStatus.ACCEPTED)
    @Operation(summary = "Call an operation off", description = "What has moved goes back to where it was, unless "
            + "`rollback=false`; its throttles are taken away.")
    @ApiResponse(responseCode = "202", description = "Being called off", useReturnTypeSchema = true)
    @ApiResponse(responseCode = "409", ref = "#/components/responses/Conflict")
    KafkaOperation cancel(@PathVariable String clusterId, @PathVariable String operationId,
            @RequestParam(defaultValue = "true") boolean rollback) {
        cluster.image(clusterId);
        return views.of(clusterId, operations.change(operationId, known -> {
            if (known.cancelling()) {
                throw Problem.conflict("The operation is being called off already.");
            }
            if (known.errand() != null && !known.errand().cancellable()) {
                throw Problem.conflict("An operation of type " + known.type() + " cannot be called off.");
            }
            return known.cancel(rollback);
        }));
    }
}
