package io.millrace.broker.transaction;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;

import io.millrace.broker.partition.PartitionFailures;
import io.millrace.broker.partition.PartitionRegistry;
import io.millrace.broker.partition.Writer;
import io.millrace.broker.transaction.MarkerWaits.MarkerWait;
import io.millrace.log.producer.TransactionTerms;
import io.millrace.wire.api.ApiHandler;
import io.millrace.wire.api.MarkerStamp;
import io.millrace.wire.api.MarkerTurns;
import io.millrace.wire.api.RequestContext;
import io.millrace.wire.error.Failures;
import io.millrace.wire.error.NodeUnreachable;
import io.millrace.wire.error.Refused;
import lombok.extern.slf4j.Slf4j;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData.WritableTxnMarker;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData.WritableTxnMarkerTopic;
import org.apache.kafka.common.message.WriteTxnMarkersResponseData;
import org.apache.kafka.common.message.WriteTxnMarkersResponseData.WritableTxnMarkerPartitionResult;
import org.apache.kafka.common.message.WriteTxnMarkersResponseData.WritableTxnMarkerResult;
import org.apache.kafka.common.message.WriteTxnMarkersResponseData.WritableTxnMarkerTopicResult;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.EndTransactionMarker;
import org.apache.kafka.common.record.internal.MemoryRecords;

/// WriteTxnMarkers: writes the ends of transactions into the partitions that this broker leads, and answers once all in-sync
/// replicas have them. One that comes again ends nothing more, and one that its sender gave up is not written when it comes
/// late: it might end the next transaction of a producer that keeps its epoch. Those of groups' offsets are handed on to whoever owns the
/// group's shard.
@Slf4j
public final class WriteTxnMarkersHandler
        implements
            ApiHandler<WriteTxnMarkersRequestData, WriteTxnMarkersResponseData> {
    private static final byte TRANSACTIONS_V2 = 2;

    private final PartitionRegistry partitions;
    private final CoordinatorChannel coordinators;
    private final Clock clock;
    private final Duration patience;
    private final MarkerTurns turns = new MarkerTurns();

    /// @param coordinators write those of groups' offsets
    /// @param clock of the markers' times
    /// @param patience how long the replicas are waited for
    public WriteTxnMarkersHandler(PartitionRegistry partitions, CoordinatorChannel coordinators, Clock clock,
            Duration patience) {
        this.partitions = partitions;
        this.coordinators = coordinators;
        this.clock = clock;
        this.patience = patience;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.WRITE_TXN_MARKERS;
    }

    @Override
    public CompletableFuture<WriteTxnMarkersResponseData> handle(WriteTxnMarkersRequestData request,
            RequestContext context) {
        var response = new WriteTxnMarkersResponseData();
        var waits = new MarkerWaits(context.loop(), WriteTxnMarkersHandler::failed);
        if (!turns.run(MarkerStamp.of(request), () -> each(request, response, waits, this::write))) {
            each(request, response, waits, (_, wait) -> wait.part().setErrorCode(Errors.REQUEST_TIMED_OUT.code()));
        }
        return waits.await(patience).thenApply(_ -> response);
    }

    private static void each(WriteTxnMarkersRequestData request, WriteTxnMarkersResponseData response,
            MarkerWaits waits, BiConsumer<WritableTxnMarker, MarkerWait> action) {
        for (var marker : request.markers()) {
            var told = new WritableTxnMarkerResult().setProducerId(marker.producerId());
            response.markers().add(told);
            for (var topic : marker.topics()) {
                var parts = new WritableTxnMarkerTopicResult().setName(topic.name());
                told.topics().add(parts);
                for (int partition : topic.partitionIndexes()) {
                    var part = new WritableTxnMarkerPartitionResult().setPartitionIndex(partition);
                    parts.partitions().add(part);
                    action.accept(marker, new MarkerWait(waits, topic.name(), part));
                }
            }
        }
    }

    private void write(WritableTxnMarker marker, MarkerWait wait) {
        try {
            if (wait.topic().equals(Topic.TRANSACTION_STATE_TOPIC_NAME)) {
                throw new Refused(Errors.INVALID_TOPIC_EXCEPTION, "topic=" + wait.topic() + " is in no transaction");
            }
            if (wait.topic().equals(Topic.GROUP_METADATA_TOPIC_NAME)) {
                forward(marker, wait);
                return;
            }
            if (marker.producerId() < 0 || marker.producerEpoch() < 0) {
                throw new Refused(Errors.INVALID_PRODUCER_EPOCH, "producer=%d epoch=%d".formatted(marker.producerId(),
                        marker.producerEpoch()));
            }
            var records = MemoryRecords.withEndTransactionMarker(clock.millis(), marker.producerId(), marker
                    .producerEpoch(), new EndTransactionMarker(marker.transactionResult()
                            ? ControlRecordType.COMMIT
                            : ControlRecordType.ABORT, marker.coordinatorEpoch()));
            var terms = marker.transactionVersion() >= TRANSACTIONS_V2
                    ? new TransactionTerms.EndsOlderEpoch()
                    : TransactionTerms.FREE;
            partitions.find(wait.topic(), wait.part().partitionIndex())
                    .asLeader()
                    .append(records.buffer(), wait, Writer.marker(terms));
            wait.appended();
        } catch (RuntimeException failure) {
            failed(wait, failure);
        }
    }

    /// Whoever writes markers looks for the leader again where it is told that; it knows no other coordinators than its own.
    private static Errors asClientsKnowIt(Throwable failure, MarkerWait wait) {
        var cause = Failures.cause(failure);
        if (cause instanceof TimeoutException) {
            return Errors.REQUEST_TIMED_OUT;
        }
        if (cause instanceof NodeUnreachable) {
            return Errors.NOT_LEADER_OR_FOLLOWER;
        }
        var error = PartitionFailures.errorOf(cause, "write marker", wait.topic(), wait.part().partitionIndex());
        return switch (error) {
            case NOT_COORDINATOR, COORDINATOR_NOT_AVAILABLE, COORDINATOR_LOAD_IN_PROGRESS ->
                Errors.NOT_LEADER_OR_FOLLOWER;
            default -> error;
        };
    }

    private void forward(WritableTxnMarker marker, MarkerWait wait) {
        int partition = wait.part().partitionIndex();
        var alone = marker.duplicate()
                .setTopics(List.of(new WritableTxnMarkerTopic().setName(wait.topic())
                        .setPartitionIndexes(List.of(partition))));
        wait.forwarded(coordinators.end(partition, new WriteTxnMarkersRequestData().setMarkers(List.of(alone)),
                patience).thenAccept(response -> refuse(Errors.forCode(response.markers()
                        .getFirst()
                        .topics()
                        .getFirst()
                        .partitions()
                        .getFirst()
                        .errorCode()))));
    }

    private static void refuse(Errors error) {
        if (error != Errors.NONE) {
            throw new Refused(error, "the owner of the shard says so");
        }
    }

    private static void failed(MarkerWait wait, Throwable failure) {
        var error = asClientsKnowIt(failure, wait);
        log.debug("a marker was not written topic={} partition={} error={} reason=\"{}\"", wait.topic(), wait.part()
                .partitionIndex(), error, failure.getMessage());
        wait.part().setErrorCode(error.code());
    }
}
