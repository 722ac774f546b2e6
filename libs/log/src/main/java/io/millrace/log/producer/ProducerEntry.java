package io.millrace.log.producer;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;

import io.millrace.log.batch.Batch;
import io.millrace.log.batch.ControlBatch.TransactionEnd;
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
    private int coordinatorEpoch;
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

    boolean hasOpenTransaction() {
        return transactionStart != NO_TRANSACTION;
    }

    /// First offset of its open transaction, or [#NO_TRANSACTION].
    long transactionStart() {
        return transactionStart;
    }

    /// Its last batches in its epoch, oldest first; a view.
    Collection<KeptBatch> keptBatches() {
        return Collections.unmodifiableCollection(batches);
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
        if (hasOpenTransaction() && !batch.isTransactional()) {
            return Errors.INVALID_TXN_STATE;
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

    /// Why a marker must not be appended; [Errors#NONE] where it may.
    ///
    /// @param end what it says; null where it ends nothing
    Errors check(Batch marker, @Nullable TransactionEnd end) {
        if (marker.producerEpoch() < epoch) {
            return Errors.INVALID_PRODUCER_EPOCH;
        }
        return end != null && end.coordinatorEpoch() < coordinatorEpoch
                ? Errors.TRANSACTION_COORDINATOR_FENCED
                : Errors.NONE;
    }

    /// After a transaction marker was appended.
    ///
    /// @param end what it says; null where the cleaner has emptied it
    void ended(Batch marker, @Nullable TransactionEnd end) {
        raiseEpoch(marker.producerEpoch());
        lastTimestamp = marker.maxTimestamp();
        transactionStart = NO_TRANSACTION;
        if (end != null) {
            coordinatorEpoch = end.coordinatorEpoch();
        }
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
