package io.millrace.admin.logdir;

import java.util.List;
import java.util.Set;

import io.millrace.admin.operation.Errand.LogMove;
import io.millrace.admin.operation.Errand.LogMoves;
import io.millrace.admin.operation.Errands;
import io.millrace.admin.operation.Operation.Limits;
import io.millrace.admin.operation.OperationType;
import io.millrace.admin.operation.OperationViews;
import io.millrace.admin.operation.Operations;
import io.millrace.admin.problem.KafkaProblems;
import io.millrace.admin.problem.Problem;
import io.millrace.admin.resource.Links;
import io.millrace.admin.resource.ResourceList;
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
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import lombok.RequiredArgsConstructor;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.DescribeLogDirsResponseData.DescribeLogDirsResult;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping(path = "/v3/clusters/{clusterId}", produces = MediaType.APPLICATION_JSON_VALUE)
@RequiredArgsConstructor
@Tag(name = "Brokers")
class LogDirController {
    private final Cluster cluster;
    private final LogDirs directories;
    private final Errands errands;
    private final Operations operations;
    private final OperationViews views;
    private final Links links;

    @GetMapping("/log-dirs")
    @Operation(summary = "List the log directories of all brokers", description = "Of those that answer.")
    ResourceList<KafkaLogDir> all(@PathVariable String clusterId, @RequestParam(defaultValue = "") String topic) {
        var rows = directories.of(cluster.image(clusterId).liveBrokers()).entrySet().stream()
                .flatMap(entry -> entry.getValue().stream().map(told -> KafkaLogDir.of(clusterId, entry.getKey().id(),
                        told, topic, links)))
                .toList();
        return ResourceList.whole("KafkaLogDirList", links.cluster(clusterId, "log-dirs"), rows);
    }

    @GetMapping("/brokers/{brokerId}/log-dirs")
    @Operation(summary = "List the log directories of a broker, and what lies in them")
    ResourceList<KafkaLogDir> ofBroker(@PathVariable String clusterId, @PathVariable int brokerId,
            @RequestParam(defaultValue = "") String topic) {
        var broker = cluster.broker(clusterId, brokerId);
        var told = directories.of(Set.of(broker)).get(broker);
        if (told == null) {
            throw KafkaProblems.problem(Errors.BROKER_NOT_AVAILABLE, "Broker " + brokerId + " does not answer.");
        }
        List<KafkaLogDir> rows = told.stream().map(one -> KafkaLogDir.of(clusterId, brokerId, one, topic, links))
                .toList();
        return ResourceList.whole("KafkaLogDirList", links.cluster(clusterId, "brokers", brokerId, "log-dirs"), rows);
    }

    /// @param throttleBytesPerSec that the broker copies between its directories; null: as it is set
    @Schema(example = "{\"replicas\": [{\"topic\": \"orders\", \"partition\": 0, \"target_dir\": \"/data2\"}]}")
    record MoveRequest(@NotEmpty @Size(max = 1_000) List<@NotNull @Valid ReplicaTarget> replicas,
            @Nullable @Min(1) Long throttleBytesPerSec) {

        /// @param targetDir one of the broker's `log-dirs`
        record ReplicaTarget(@NotBlank @Size(max = 249) String topic, @NotNull @Min(0) Integer partition,
                @NotBlank @Size(max = 4_096) String targetDir) {}
    }

    @PostMapping("/brokers/{brokerId}/log-dirs:move")
    @Operation(summary = "Move replicas between the log directories of a broker", description = "As an operation, which can be "
            + "slowed, paused and called off: what is called off goes back to where it was. A throttle is taken away at its end.")
    @ApiResponse(responseCode = "202", description = "Begun", content = @Content(schema = @Schema(ref = "#/components/schemas/KafkaOperation")))
    @ApiResponse(responseCode = "409", ref = "#/components/responses/Conflict")
    ResponseEntity<Object> move(@PathVariable String clusterId, @PathVariable int brokerId,
            @Valid @RequestBody MoveRequest request, HttpServletRequest http) {
        var broker = cluster.broker(clusterId, brokerId);
        var told = directories.of(Set.of(broker)).get(broker);
        if (told == null) {
            throw KafkaProblems.problem(Errors.BROKER_NOT_AVAILABLE, "Broker " + brokerId + " does not answer.");
        }
        var usable = told.stream().filter(one -> one.errorCode() == Errors.NONE.code()).map(
                DescribeLogDirsResult::logDir).toList();
        var places = errands.places(broker);
        var moves = request.replicas().stream().map(target -> {
            cluster.partition(clusterId, target.topic(), target.partition());
            if (!usable.contains(target.targetDir())) {
                throw Problem.refusedByKafka("Broker " + brokerId + " has no log directory " + Problem.shown(target
                        .targetDir()) + " that it can use; it has " + String.join(", ", usable) + ".");
            }
            var place = places.get(new TopicPartition(target.topic(), target.partition()));
            if (place == null) {
                throw Problem.refusedByKafka("Broker " + brokerId + " has no replica of " + target.topic() + "-"
                        + target
                                .partition() + ".");
            }
            return new LogMove(target.topic(), target.partition(), place.directory(), target.targetDir(), place.bytes(),
                    0, false, null);
        }).toList();
        if (moves.stream().map(move -> new TopicPartition(move.topic(), move.partition())).distinct().count() < moves
                .size()) {
            throw Problem.badRequest("replicas names a partition twice");
        }
        return views.accepted(clusterId, operations.begin(OperationType.MOVE_LOGS, brokerId, http.getRemoteAddr(),
                new Limits(request.throttleBytesPerSec(), Limits.DEFAULTS.maxPartitionsPerBroker()), new LogMoves(
                        brokerId, moves, false)));
    }
}
