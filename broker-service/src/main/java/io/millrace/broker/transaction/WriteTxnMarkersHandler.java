package io.millrace.broker.transaction;

import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;

import io.millrace.broker.partition.PartitionFailures;
import io.millrace.broker.partition.PartitionRegistry;
import io.millrace.broker.partition.Writer;
import io.millrace.broker.transaction.MarkerWaits.MarkerWait;
import io.millrace.log.producer.TransactionTerms;
import io.millrace.wire.api.ApiHandler;
import io.millrace.wire.api.RequestContext;
import io.millrace.wire.error.Refused;
import lombok.extern.slf4j.Slf4j;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData.WritableTxnMarker;
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
/// replicas have them. One that comes again ends nothing more. Those of groups' offsets are written by whoever owns the
/// group's shard.
@Slf4j
public final class WriteTxnMarkersHandler
        implements
            ApiHandler<WriteTxnMarkersRequestData, WriteTxnMarkersResponseData> {
    private static final byte TRANSACTIONS_V2 = 2;

    private final PartitionRegistry partitions;
    private final Clock clock;
    private final Duration patience;

    /// @param clock of the markers' times
    /// @param patience how long the replicas are waited for
    public WriteTxnMarkersHandler(PartitionRegistry partitions, Clock clock, Duration patience) {
        this.partitions = partitions;
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
        for (var marker : request.markers()) {
            var told = new WritableTxnMarkerResult().setProducerId(marker.producerId());
            response.markers().add(told);
            for (var topic : marker.topics()) {
                var parts = new WritableTxnMarkerTopicResult().setName(topic.name());
                told.topics().add(parts);
                for (int partition : topic.partitionIndexes()) {
                    var part = new WritableTxnMarkerPartitionResult().setPartitionIndex(partition);
                    parts.partitions().add(part);
                    write(marker, new MarkerWait(waits, topic.name(), part));
                }
            }
        }
        return waits.await(patience).thenApply(_ -> response);
    }

    private void write(WritableTxnMarker marker, MarkerWait wait) {
        try {
            if (Topic.isInternal(wait.topic())) {
                throw new Refused(Errors.INVALID_TOPIC_EXCEPTION, "topic=" + wait.topic()
                        + " its markers are written by the owners of its shards");
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
                    .append(records.buffer(), wait, Writer.marker(terms));
            wait.appended();
        } catch (RuntimeException failure) {
            failed(wait, failure);
        }
    }

    private static void failed(MarkerWait wait, Throwable failure) {
        var error = failure instanceof TimeoutException
                ? Errors.REQUEST_TIMED_OUT
                : PartitionFailures.errorOf(failure, "write marker", wait.topic(), wait.part().partitionIndex());
        log.debug("a marker was not written topic={} partition={} error={} reason=\"{}\"", wait.topic(), wait.part()
                .partitionIndex(), error, failure.getMessage());
        wait.part().setErrorCode(error.code());
    }
}
