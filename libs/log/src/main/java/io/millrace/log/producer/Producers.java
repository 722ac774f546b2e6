package io.millrace.log.producer;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

import io.millrace.log.batch.AppendOrigin;
import io.millrace.log.batch.Batch;
import io.millrace.log.batch.ControlBatch;
import io.millrace.log.batch.LogRefused;
import io.millrace.log.producer.TransactionTerms.EndsOlderEpoch;
import io.millrace.log.producer.TransactionTerms.Verified;
import io.millrace.log.transaction.AbortedTransaction;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/// The producers of one log. Not for several threads: the log's lock guards it.
public final class Producers {
    private final Map<Long, ProducerEntry> entries = new HashMap<>();
    private final OpenTransactions transactions = new OpenTransactions();
    private final TransactionLeaves leaves = new TransactionLeaves();

    /// Offsets of a batch that was appended before.
    ///
    /// @param timestamp milliseconds since 1970
    public record Duplicate(long firstOffset, long lastOffset, long timestamp) {}

    /// Before an append: may `batch` follow what its producer sent before?
    ///
    /// @param batch whole where it is a control batch
    /// @return where it was appended already; null where it is new
    /// @throws LogRefused INVALID_PRODUCER_EPOCH, OUT_OF_ORDER_SEQUENCE_NUMBER, INVALID_TXN_STATE or
    ///         TRANSACTION_COORDINATOR_FENCED
    public @Nullable Duplicate check(Batch batch, AppendOrigin origin, TransactionTerms terms) {
        if (!batch.hasProducerId() || origin == AppendOrigin.REPLICATION) {
            return null;
        }
        var entry = entries.get(batch.producerId());
        if (batch.isControl()) {
            checkMarker(batch, entry, terms);
            return null;
        }
        if (terms instanceof Verified verified) {
            checkBeginning(batch, entry, verified);
        }
        if (entry == null) {
            // Never seen, expired, or all that it wrote was deleted: any sequence may begin anew.
            return null;
        }
        if (origin == AppendOrigin.CLIENT) {
            var same = entry.duplicateOf(batch);
            if (same != null) {
                return new Duplicate(same.firstOffset(), same.lastOffset(), same.timestamp());
            }
        }
        var error = entry.check(batch);
        if (error != Errors.NONE && (origin == AppendOrigin.CLIENT || error != Errors.OUT_OF_ORDER_SEQUENCE_NUMBER)) {
            throw refused(error, batch, entry);
        }
        return null;
    }

    private static void checkMarker(Batch marker, @Nullable ProducerEntry entry, TransactionTerms terms) {
        if (entry == null) {
            return;
        }
        var error = entry.check(marker, ControlBatch.transactionEnd(marker));
        // One that is repeated finds nothing open, and does no harm.
        if (error == Errors.NONE && terms instanceof EndsOlderEpoch && entry.hasOpenTransaction() && entry
                .epoch() == marker.producerEpoch()) {
            error = Errors.INVALID_PRODUCER_EPOCH;
        }
        if (error != Errors.NONE) {
            throw refused(error, marker, entry);
        }
    }

    /// A transaction may begin only where the coordinator said so, who was not deposed by then, and no marker has come since it
    /// was asked.
    private void checkBeginning(Batch batch, @Nullable ProducerEntry entry, Verified verified) {
        if (!batch.isTransactional() || isOpen(entry, batch.producerEpoch())) {
            return;
        }
        if (entry != null && verified.coordinatorEpoch() < entry.coordinatorEpoch()) {
            throw new LogRefused(Errors.TRANSACTION_COORDINATOR_FENCED,
                    "producer %d: coordinator epoch %d speaks, %d has ended"
                            .formatted(batch.producerId(), verified.coordinatorEpoch(), entry.coordinatorEpoch()));
        }
        var leave = verified.leave();
        var given = leaves.find(batch.producerId(), batch.producerEpoch());
        if (leave == null || given == null || leave.number() != given.number()) {
            throw new LogRefused(Errors.INVALID_TXN_STATE, "producer %d: the partition is in no transaction of epoch %d"
                    .formatted(batch.producerId(), batch.producerEpoch()));
        }
        if (entry == null && batch.baseSequence() > given.lowestSequence()) {
            throw new LogRefused(Errors.OUT_OF_ORDER_SEQUENCE_NUMBER, "producer %d: sequence %d comes before %d"
                    .formatted(batch.producerId(), batch.baseSequence(), given.lowestSequence()));
        }
    }

    private static boolean isOpen(@Nullable ProducerEntry entry, short producerEpoch) {
        return entry != null && entry.hasOpenTransaction() && entry.epoch() == producerEpoch;
    }

    private static LogRefused refused(Errors error, Batch batch, ProducerEntry entry) {
        return new LogRefused(error, "producer %d: epoch %d and sequence %d after epoch %d and sequence %d".formatted(
                batch.producerId(), batch.producerEpoch(), batch.baseSequence(), entry.epoch(), entry.lastSequence()));
    }

    /// Before the coordinator is asked whether a producer's transaction has this partition.
    ///
    /// @param sequence first one of the batch that is to be appended; 0 where each transaction begins with that
    /// @param now milliseconds since 1970
    /// @return null where the transaction is open already, so that nobody needs to be asked
    public @Nullable TransactionLeave leave(long producerId, short producerEpoch, int sequence, long now) {
        if (isOpen(entries.get(producerId), producerEpoch)) {
            return null;
        }
        return leaves.give(producerId, producerEpoch, sequence, now);
    }

    /// The coordinator has refused the producer or the epoch for which that was taken: none of its batches begins anything.
    public void withdraw(long producerId, TransactionLeave leave) {
        leaves.withdraw(producerId, leave);
    }

    /// After `batch` was appended, or found in the log.
    ///
    /// @param batch whole where it is a control batch
    /// @return the transaction that came to nothing with it; null where it ends none
    public @Nullable AbortedTransaction appended(Batch batch) {
        if (!batch.hasProducerId()) {
            return null;
        }
        var entry = entries.computeIfAbsent(batch.producerId(), id -> new ProducerEntry(id, ProducerEntry.NO_EPOCH, -1,
                -1, ProducerEntry.NO_TRANSACTION));
        if (batch.isTransactional()) {
            leaves.forget(batch.producerId());
        }
        if (batch.isControl()) {
            return ended(batch, entry);
        }
        boolean open = entry.hasOpenTransaction();
        entry.appended(batch);
        if (!open && entry.hasOpenTransaction()) {
            transactions.began(entry.transactionStart(), entry.producerId);
        }
        return null;
    }

    private @Nullable AbortedTransaction ended(Batch marker, ProducerEntry entry) {
        var end = ControlBatch.transactionEnd(marker);
        long start = entry.transactionStart();
        entry.ended(marker, end);
        if (start == ProducerEntry.NO_TRANSACTION) {
            return null;
        }
        transactions.ended(start, marker.lastOffset());
        long stable = transactions.firstOpenExcept(entry.producerId).orElse(marker.lastOffset() + 1);
        return end == null || end.committed()
                ? null
                : new AbortedTransaction(entry.producerId, start, marker.lastOffset(), stable);
    }

    /// Offsets below are replicated: transactions whose marker is there are over for good.
    public void replicated(long highWatermark) {
        transactions.replicated(highWatermark);
    }

    /// First offset of the oldest transaction that is open, or whose marker is not known to be replicated; empty where there
    /// is none.
    public OptionalLong firstUnstableOffset() {
        return transactions.firstUnstable();
    }

    /// Forgets those whose last batch is `maxAgeMs` old at `now` and who have no open transaction; returns how many.
    public int expire(long now, long maxAgeMs) {
        int before = entries.size();
        entries.values().removeIf(entry -> !entry.hasOpenTransaction() && now - entry.lastTimestamp() >= maxAgeMs);
        leaves.expire(now, maxAgeMs);
        return before - entries.size();
    }

    /// Forgets all.
    public void clear() {
        entries.clear();
        transactions.clear();
        leaves.clear();
    }

    /// What the cleaner must leave of each producer below `end` so that its state can be rebuilt from the log, even where it is
    /// cut at `end`: the last offset of its last data batch there, or -1 where only a marker of its epoch says anything of it.
    public Map<Long, LastBatch> lastBatches(long end) {
        var last = new HashMap<Long, LastBatch>();
        entries.forEach((id, entry) -> last.put(id, new LastBatch(entry.lastOffsetBelow(end), entry.epoch())));
        return last;
    }

    /// By id.
    public List<ProducerSummary> summaries() {
        return entries.values().stream().map(entry -> new ProducerSummary(entry.producerId, entry.epoch(), entry
                .lastSequence(), entry.lastTimestamp(), entry.coordinatorEpoch(), entry.transactionStart())).sorted(
                        (a, b) -> Long.compare(a.producerId(), b.producerId())).toList();
    }

    /// The content of a snapshot file.
    public byte[] snapshot() {
        return SnapshotFormat.encode(entries.values());
    }

    /// Replaces everything by the content of a snapshot file.
    ///
    /// @return false, and nothing is known, where that is not whole
    public boolean restore(byte[] snapshot) {
        clear();
        var read = SnapshotFormat.decode(snapshot);
        if (read == null) {
            return false;
        }
        for (var entry : read) {
            entries.put(entry.producerId, entry);
            if (entry.hasOpenTransaction()) {
                transactions.began(entry.transactionStart(), entry.producerId);
            }
        }
        return true;
    }
}
