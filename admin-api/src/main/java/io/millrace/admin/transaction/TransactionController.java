package io.millrace.admin.transaction;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.millrace.admin.problem.Problem;
import io.millrace.admin.resource.Links;
import io.millrace.admin.resource.ResourceList;
import io.millrace.admin.upstream.Cluster;
import io.millrace.admin.upstream.Fetches;
import io.millrace.admin.upstream.Offsets;
import io.millrace.admin.upstream.OpenTransactions;
import io.millrace.admin.upstream.OpenTransactions.Open;
import io.millrace.admin.upstream.Transactions;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Min;
import lombok.RequiredArgsConstructor;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
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
@Tag(name = "Transactions")
class TransactionController {
    private static final String PRODUCERS = "KafkaProducerList";
    private static final Duration MARKERS = Duration.ofSeconds(5);

    private final Cluster cluster;
    private final Transactions transactions;
    private final OpenTransactions open;
    private final Offsets offsets;
    private final Fetches fetches;
    private final Links links;

    /// @param dryRun only says what would be aborted
    @Schema(example = "{\"dry_run\": true}")
    record AbortRequest(@Nullable Boolean dryRun) {}

    @GetMapping("/transactions")
    @Operation(summary = "List transactional ids", description = "Each with its present or last transaction.")
    ResourceList<KafkaTransaction> list(@PathVariable String clusterId,
            @RequestParam(required = false) @Nullable String state,
            @RequestParam(name = "older_than_ms", required = false) @Min(0) @Nullable Long olderThanMs) {
        cluster.image(clusterId);
        checkState(state);
        var before = olderThanMs == null ? null : Instant.now().minus(Duration.ofMillis(olderThanMs));
        return ResourceList.whole("KafkaTransactionList", links.cluster(clusterId, "transactions"),
                transactions.list().stream().map(owned -> KafkaTransaction.of(clusterId, owned, links))
                        .filter(transaction -> state == null || transaction.state().equalsIgnoreCase(state))
                        .filter(transaction -> before == null || (transaction.startedAt() != null && transaction
                                .startedAt().isBefore(before)))
                        .toList());
    }

    private static void checkState(@Nullable String state) {
        var known = Stream.of(TransactionState.values()).map(Enum::name).toList();
        if (state != null && known.stream().noneMatch(state::equalsIgnoreCase)) {
            throw Problem.badRequest("'" + Problem.shown(state) + "' is not a value of state: one of " + known);
        }
    }

    @GetMapping("/transactions/{transactionalId}")
    @Operation(summary = "Describe a transactional id")
    KafkaTransaction get(@PathVariable String clusterId, @PathVariable String transactionalId) {
        cluster.image(clusterId);
        return KafkaTransaction.of(clusterId, transactions.describe(transactionalId), links);
    }

    @PostMapping("/transactions/{transactionalId}:abort")
    @Operation(summary = "Abort the transaction that is open", description = "Its producer is fenced. The answer says how "
            + "far readers of committed records came before and come after. `dry_run` only shows what is open.")
    @ApiResponse(responseCode = "200", description = "Aborted", useReturnTypeSchema = true)
    @ApiResponse(responseCode = "409", ref = "#/components/responses/Conflict")
    KafkaTransactionAbort abort(@PathVariable String clusterId, @PathVariable String transactionalId,
            @Valid @RequestBody(required = false) @Nullable AbortRequest request) {
        cluster.image(clusterId);
        boolean dry = request != null && Boolean.TRUE.equals(request.dryRun());
        var owned = transactions.open(transactionalId);
        var transaction = KafkaTransaction.of(clusterId, owned, links);
        var partitions = transaction.topicPartitions();
        var before = offsets.lastStable(partitions);
        if (!dry) {
            transactions.abort(owned, MARKERS);
        }
        return new KafkaTransactionAbort("KafkaTransactionAbort", transaction.metadata(), clusterId, dry,
                transactionalId, transaction.producerId(), transaction.producerEpoch(), KafkaTransactionAbort.unblocked(
                        partitions, before, dry ? null : offsets.lastStable(partitions)));
    }

    @GetMapping("/transactions:hanging")
    @Operation(summary = "List transactions that hold back readers and that no coordinator knows", description = "While a coordinator or "
            + "a broker does not answer that cannot be told (503).")
    ResourceList<KafkaHangingTransaction> hanging(@PathVariable String clusterId) {
        cluster.image(clusterId);
        var hanging = open.hanging();
        var starts = new HashMap<TopicPartition, Long>();
        hanging.forEach(one -> starts.merge(one.partition(), one.producer().currentTxnStartOffset(), Math::min));
        var stable = offsets.lastStable(starts.keySet()).offsets();
        return ResourceList.whole("KafkaHangingTransactionList", links.cluster(clusterId, "transactions:hanging"),
                hanging
                        .stream().map(one -> KafkaHangingTransaction.of(clusterId, one, since(one), stable.get(one
                                .partition()),
                                links)).toList());
    }

    /// When its first record was written, as its client's clock says; null where nobody tells.
    private @Nullable Instant since(Open one) {
        var first = fetches.timestamps(Map.of(one.partition(), one.producer().currentTxnStartOffset()))
                .get(one.partition());
        return first == null ? null : Instant.ofEpochMilli(first);
    }

    @GetMapping("/topics/{topicName}/partitions/{partitionId}/producers")
    @Operation(summary = "List the producers that are active in a partition")
    ResourceList<KafkaProducer> producers(@PathVariable String clusterId, @PathVariable String topicName,
            @PathVariable int partitionId) {
        cluster.partition(clusterId, topicName, partitionId);
        var partition = new TopicPartition(topicName, partitionId);
        return ResourceList.whole(PRODUCERS,
                links.cluster(clusterId, "topics", topicName, "partitions", partitionId, "producers"),
                open.producers(partition).stream()
                        .map(producer -> KafkaProducer.of(clusterId, partition, producer, links)).toList());
    }

    @PostMapping("/topics/{topicName}/partitions/{partitionId}/transactions:abort-hanging")
    @Operation(summary = "End a transaction in one partition", description = "For those that no coordinator knows: one "
            + "that is open at its coordinator, or is being ended by it, is left alone (409) unless `force` says otherwise, since "
            + "half of what it commits would be gone. The answer says how far readers of committed records came before and come after.")
    @ApiResponse(responseCode = "200", description = "Ended", useReturnTypeSchema = true)
    @ApiResponse(responseCode = "409", ref = "#/components/responses/Conflict")
    KafkaTransactionAbort abortHanging(@PathVariable String clusterId, @PathVariable String topicName,
            @PathVariable int partitionId, @Valid @RequestBody AbortHangingRequest request) {
        cluster.partition(clusterId, topicName, partitionId);
        var partitions = List.of(new TopicPartition(topicName, partitionId));
        var before = offsets.lastStable(partitions);
        var ended = open.abort(partitions.getFirst(), request.producerId(), request.startOffset(), request.isForced(),
                request.isDry());
        var producer = KafkaProducer.of(clusterId, ended.partition(), ended.producer(), links);
        return new KafkaTransactionAbort("KafkaTransactionAbort", producer.metadata(), clusterId, request.isDry(), null,
                producer.producerId(), producer.producerEpoch(), KafkaTransactionAbort.unblocked(partitions, before,
                        request.isDry() ? null : offsets.lastStable(partitions)));
    }
}
