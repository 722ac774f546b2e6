package io.millrace.log.producer;

import java.util.ArrayDeque;

import io.millrace.log.batch.Batch;
import io.millrace.log.batch.Sequences;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/// One producer as a log knows it. Not for several threads: the log's lock guards it.
final class ProducerEntry {
    /// As many as a producer may have in flight (KIP-98).
    static final int KEPT_BATCHES = 5;
    static final short NO_EPOCH = -1;
    static final long NO_TRANSACTION = -1;

    final long producerId;
    private final ArrayDeque<KeptBatch> batches = new ArrayDeque<>(KEPT_BATCHES);
    private short epoch;
    private final int coordinatorEpoch;
    private long lastTimestamp;
    private long transactionStart;

    ProducerEntry(long producerId, short epoch, int coordinatorEpoch, long lastTimestamp, long transactionStart) {
        this.producerId = producerId;
        this.epoch = epoch;
        this.coordinatorEpoch = coordinatorEpoch;
        this.lastTimestamp = lastTimestamp;
        this.transactionStart = transactionStart;
    }

    short epoch() {
        return epoch;
    }

    int coordinatorEpoch() {
        return coordinatorEpoch;
    }

    long lastTimestamp() {
        return lastTimestamp;
    }

    /// First offset of its open transaction, or [#NO_TRANSACTION].
    long transactionStart() {
        return transactionStart;
    }

    @Nullable
    KeptBatch lastBatch() {
        return batches.peekLast();
    }

    /// Last offset of its last kept batch that ends below `end`; -1 where there is none.
    long lastOffsetBelow(long end) {
        for (var kept : batches.reversed()) {
            if (kept.lastOffset() < end) {
                return kept.lastOffset();
            }
        }
        return -1;
    }

    int lastSequence() {
        var last = batches.peekLast();
        return last == null ? -1 : last.lastSequence();
    }

    /// The kept batch that `batch` repeats; null where it is none of them.
    @Nullable
    KeptBatch duplicateOf(Batch batch) {
        if (batch.producerEpoch() == epoch) {
            for (var kept : batches) {
                if (kept.isSameAs(batch)) {
                    return kept;
                }
            }
        }
        return null;
    }

    /// Why `batch` must not be appended; [Errors#NONE] where it may.
    Errors check(Batch batch) {
        if (batch.producerEpoch() < epoch) {
            return Errors.INVALID_PRODUCER_EPOCH;
        }
        if (batch.producerEpoch() > epoch) {
            return batch.baseSequence() == 0 || epoch == NO_EPOCH ? Errors.NONE : Errors.OUT_OF_ORDER_SEQUENCE_NUMBER;
        }
        return Sequences.follows(lastSequence(), batch.baseSequence())
                ? Errors.NONE
                : Errors.OUT_OF_ORDER_SEQUENCE_NUMBER;
    }

    /// After `batch`, of data, was appended.
    void appended(Batch batch) {
        raiseEpoch(batch.producerEpoch());
        keep(KeptBatch.of(batch));
        lastTimestamp = batch.maxTimestamp();
        if (batch.isTransactional() && transactionStart == NO_TRANSACTION) {
            transactionStart = batch.baseOffset();
        }
    }

    /// After a transaction marker was appended.
    void ended(short producerEpoch, long timestamp) {
        raiseEpoch(producerEpoch);
        lastTimestamp = timestamp;
        transactionStart = NO_TRANSACTION;
    }

    void keep(KeptBatch batch) {
        if (batches.size() == KEPT_BATCHES) {
            batches.removeFirst();
        }
        batches.addLast(batch);
    }

    // A sequence has a meaning within one epoch only.
    private void raiseEpoch(short newEpoch) {
        if (newEpoch != epoch) {
            batches.clear();
            epoch = newEpoch;
        }
    }
}
