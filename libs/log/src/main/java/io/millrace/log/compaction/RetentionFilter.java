package io.millrace.log.compaction;

import java.util.Map;

import io.millrace.log.producer.LastBatch;
import org.apache.kafka.common.record.internal.MemoryRecords.RecordFilter;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;

/// Which batches and records a clean keeps. Kafka's own code does the rewriting and asks this, batch by batch and then
/// record by record.
final class RetentionFilter extends RecordFilter {
    private final OffsetMap keys;
    private final long mappedEnd;
    private final Map<Long, LastBatch> lastBatches;
    private final TransactionTracker transactions;
    private boolean discards;

    /// @param mappedEnd offsets from here on are not in `keys`, so their records stay
    RetentionFilter(OffsetMap keys, long mappedEnd, Map<Long, LastBatch> lastBatches, TransactionTracker transactions,
            long now, long deleteRetentionMs) {
        super(now, deleteRetentionMs);
        this.keys = keys;
        this.mappedEnd = mappedEnd;
        this.lastBatches = lastBatches;
        this.transactions = transactions;
    }

    @Override
    protected BatchRetentionResult checkBatchRetention(RecordBatch batch) {
        boolean canGo = transactions.canGo(batch);
        boolean control = batch.isControlBatch();
        // A marker waits once more, as a tombstone does, so that a reader who is on his way still sees it.
        discards = canGo && (!control || isPast(batch));
        return new BatchRetentionResult(retention(batch), canGo && control);
    }

    private BatchRetention retention(RecordBatch batch) {
        if (isLastOfProducer(batch) || batch.nextOffset() == mappedEnd) {
            return BatchRetention.RETAIN_EMPTY;
        }
        return discards ? BatchRetention.DELETE : BatchRetention.DELETE_EMPTY;
    }

    /// Sequence and epoch of a producer that is still known must be found in the log again.
    private boolean isLastOfProducer(RecordBatch batch) {
        var last = batch.hasProducerId() ? lastBatches.get(batch.producerId()) : null;
        if (last == null) {
            return false;
        }
        return last.lastDataOffset() >= 0
                ? batch.lastOffset() == last.lastDataOffset()
                : batch.isControlBatch() && batch.producerEpoch() == last.epoch();
    }

    @Override
    protected boolean shouldRetainRecord(RecordBatch batch, Record kept) {
        if (discards) {
            return false;
        }
        if (batch.isControlBatch() || kept.offset() >= mappedEnd) {
            return true;
        }
        if (!kept.hasKey()) {
            return false;
        }
        boolean newest = kept.offset() >= keys.get(kept.key());
        return newest && (kept.hasValue() || !isPast(batch));
    }

    private boolean isPast(RecordBatch batch) {
        var horizon = batch.deleteHorizonMs();
        return horizon.isPresent() && horizon.getAsLong() <= currentTime;
    }
}
