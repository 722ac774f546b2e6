package io.millrace.admin.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

import io.millrace.admin.operation.Move;
import io.millrace.admin.operation.Operation.Limits;
import io.millrace.admin.operation.OperationType;
import io.millrace.admin.operation.OperationViews;
import io.millrace.admin.operation.Operations;
import io.millrace.admin.problem.Problem;
import io.millrace.admin.resource.Links;
import io.millrace.admin.resource.ResourceMetadata;
import io.millrace.admin.upstream.Cluster;
import io.millrace.admin.upstream.LogDirs;
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
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import lombok.RequiredArgsConstructor;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
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

/// How evenly brokers are loaded, and proposals that make it better. Nothing is balanced unless somebody asks for it.
@RestController
@RequestMapping(path = "/v3/clusters/{clusterId}/balance", produces = MediaType.APPLICATION_JSON_VALUE)
@RequiredArgsConstructor
@Tag(name = "Balance")
class BalanceController {
    private final Cluster cluster;
    private final LogDirs directories;
    private final Plans plans;
    private final Operations operations;
    private final OperationViews views;
    private final Links links;

    /// What is to be even.
    @Schema(name = "BalanceGoal", enumAsRef = true)
    enum Goal {
        RACK, REPLICA_CAPACITY, DISK, LEADERS
    }

    /// @param goals null: all of them
    /// @param excludeTopics that stay where they are
    /// @param excludeBrokers that neither give nor get anything
    /// @param leadersOnly copy nothing
    /// @param maxBytes that may be copied
    @Schema(example = "{\"goals\": [\"RACK\", \"LEADERS\"], \"leaders_only\": false}")
    record ProposalRequest(@Nullable @Size(max = 4) Set<@NotNull Goal> goals,
            @Nullable @Size(max = 10_000) Set<@NotBlank String> excludeTopics,
            @Nullable @Size(max = 1_000) Set<@NotNull Integer> excludeBrokers, @Nullable Boolean leadersOnly,
            @Nullable @Min(0) Long maxBytes) {

        boolean has(Goal goal) {
            boolean copies = goal != Goal.LEADERS;
            return (goals == null || goals.isEmpty() || goals.contains(goal)) && !(copies && Boolean.TRUE.equals(
                    leadersOnly));
        }

        Predicate<TopicPartition> which() {
            return partition -> excludeTopics == null || !excludeTopics.contains(partition.topic());
        }
    }

    /// @param throttleBytesPerSec null: none
    @Schema(example = "{\"throttle_bytes_per_sec\": 50000000}")
    record ExecuteRequest(@Nullable @Min(1) Long throttleBytesPerSec,
            @Nullable @Min(1) @Max(1_000) Integer maxPartitionsPerBroker) {}

    /// @param before how even it is
    /// @param after how even it would be
    record KafkaBalanceProposal(String kind, ResourceMetadata metadata, String clusterId, String proposalId,
            KafkaBalance before, KafkaBalance after, KafkaReassignmentPlan plan) {}

    @GetMapping
    @Operation(summary = "How evenly brokers are loaded", description = "By replicas, leaders and bytes.")
    KafkaBalance get(@PathVariable String clusterId) {
        var image = cluster.image(clusterId);
        return KafkaBalance.of(image, new Layout(image, directories.sizes()), links);
    }

    @PostMapping("/proposals")
    @Operation(summary = "Propose moves that even out the load", description = "By what brokers hold now; nothing is moved.")
    KafkaBalanceProposal propose(@PathVariable String clusterId, @Valid @RequestBody ProposalRequest request) {
        var image = cluster.image(clusterId);
        var sizes = directories.sizes();
        var planner = new Planner(image, sizes);
        var layout = planner.layout();
        var brokers = new TreeSet<>(layout.brokers());
        if (request.excludeBrokers() != null) {
            brokers.removeAll(request.excludeBrokers());
        }
        Predicate<TopicPartition> which = request.which().and(partition -> brokers.containsAll(layout.replicas(
                partition)));
        if (request.has(Goal.RACK)) {
            planner.spreadRacks(which);
        }
        if (request.has(Goal.REPLICA_CAPACITY)) {
            layout.even(Layout.Load::replicas, _ -> 1, brokers, which, false, PlanRequest.MOST_MOVES);
        }
        if (request.has(Goal.DISK)) {
            layout.even(Layout.Load::bytes, layout::bytes, brokers, which, false, PlanRequest.MOST_MOVES);
        }
        if (request.has(Goal.LEADERS)) {
            layout.evenLeaders(which, brokers::contains, PlanRequest.MOST_MOVES);
        }
        var plan = plans.add("BALANCE", image, within(Planner.limited(layout.moves(), PlanRequest.MOST_MOVES), request
                .maxBytes()), null);
        return shown(plan, sizes);
    }

    /// The cheapest first, until it is too much.
    private static List<Move> within(List<Move> moves, @Nullable Long maxBytes) {
        if (maxBytes == null) {
            return moves;
        }
        var within = new ArrayList<Move>();
        long bytes = 0;
        for (var move : moves.stream().sorted(java.util.Comparator.comparingLong(BalanceController::cost)).toList()) {
            bytes += cost(move);
            if (bytes <= maxBytes) {
                within.add(move);
            }
        }
        return within;
    }

    private static long cost(Move move) {
        return move.bytes() * move.adding().size();
    }

    private KafkaBalanceProposal shown(Plans.Plan plan, Map<TopicPartition, Long> sizes) {
        var image = cluster.image();
        var before = new Layout(image, sizes);
        var after = new Layout(image, sizes);
        plan.moves().forEach(move -> after.put(new TopicPartition(move.topic(), move.partition()), move.to()));
        return new KafkaBalanceProposal("KafkaBalanceProposal", links.metadata(image.clusterId(), new Object[]{
                "balance-proposal", plan.id()}, "balance", "proposals", plan.id()), image.clusterId(), plan.id(),
                KafkaBalance.of(image, before, links), KafkaBalance.of(image, after, links), KafkaReassignmentPlan.of(
                        plan, image, sizes, links));
    }

    @GetMapping("/proposals/{proposalId}")
    @Operation(summary = "Describe a proposal")
    KafkaBalanceProposal proposal(@PathVariable String clusterId, @PathVariable String proposalId) {
        cluster.image(clusterId);
        return shown(plans.find(proposalId), directories.sizes());
    }

    @DeleteMapping("/proposals/{proposalId}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    @Operation(summary = "Discard a proposal")
    void discard(@PathVariable String clusterId, @PathVariable String proposalId) {
        cluster.image(clusterId);
        plans.find(proposalId);
        plans.remove(proposalId);
    }

    @PostMapping("/proposals/{proposalId}:execute")
    @Operation(summary = "Carry a proposal out", description = "As an operation, which can be slowed, paused and called off.")
    @ApiResponse(responseCode = "202", description = "Begun", content = @Content(schema = @Schema(ref = "#/components/schemas/KafkaOperation")))
    @ApiResponse(responseCode = "409", ref = "#/components/responses/Conflict")
    @ApiResponse(responseCode = "412", ref = "#/components/responses/Stale")
    ResponseEntity<Object> execute(@PathVariable String clusterId, @PathVariable String proposalId,
            @Valid @RequestBody ExecuteRequest request, HttpServletRequest http) {
        cluster.image(clusterId);
        var moves = plans.current(proposalId, cluster.image());
        if (moves.isEmpty()) {
            throw Problem.conflict("The proposal has no moves: there is nothing to even out.");
        }
        var limits = new Limits(request.throttleBytesPerSec(), request.maxPartitionsPerBroker() == null
                ? Limits.DEFAULTS.maxPartitionsPerBroker()
                : request.maxPartitionsPerBroker());
        return views.accepted(clusterId, operations.begin(OperationType.BALANCE, null, http.getRemoteAddr(), limits,
                moves,
                true));
    }
}
