package io.millrace.log.producer;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

import io.millrace.log.batch.AppendOrigin;
import io.millrace.log.batch.Batch;
import io.millrace.log.batch.LogRefused;
import io.millrace.log.transaction.AbortedTransaction;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/// The producers of one log. Not for several threads: the log's lock guards it.
public final class Producers {
    private final Map<Long, ProducerEntry> entries = new HashMap<>();

    /// Offsets of a batch that was appended before.
    ///
    /// @param timestamp milliseconds since 1970
    public record Duplicate(long firstOffset, long lastOffset, long timestamp) {}

    /// Before an append: may `batch` follow what its producer sent before?
    ///
    /// @return where it was appended already; null where it is new
    /// @throws LogRefused INVALID_PRODUCER_EPOCH or OUT_OF_ORDER_SEQUENCE_NUMBER
    public @Nullable Duplicate check(Batch batch, AppendOrigin origin) {
        if (!batch.hasProducerId() || origin == AppendOrigin.REPLICATION) {
            return null;
        }
        var entry = entries.get(batch.producerId());
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
        if (error == Errors.INVALID_PRODUCER_EPOCH || (error != Errors.NONE && origin == AppendOrigin.CLIENT)) {
            throw new LogRefused(error, "producer %d: epoch %d and sequence %d after epoch %d and sequence %d"
                    .formatted(
                            batch.producerId(), batch.producerEpoch(), batch.baseSequence(), entry.epoch(), entry
                                    .lastSequence()));
        }
        return null;
    }

    /// After `batch` was appended, or found in the log.
    public void appended(Batch batch) {
        if (!batch.hasProducerId()) {
            return;
        }
        var entry = entries.computeIfAbsent(batch.producerId(), id -> new ProducerEntry(id, ProducerEntry.NO_EPOCH, -1,
                -1, ProducerEntry.NO_TRANSACTION));
        if (batch.isControl()) {
            entry.ended(batch.producerEpoch(), batch.maxTimestamp());
        } else {
            entry.appended(batch);
        }
    }

    /// What the index of aborted transactions gets for an abort marker that is about to be taken in by [#appended]; null
    /// where its producer has no transaction open, so that it ends nothing.
    public @Nullable AbortedTransaction abortedBy(Batch marker) {
        var entry = entries.get(marker.producerId());
        if (entry == null || entry.transactionStart() == ProducerEntry.NO_TRANSACTION) {
            return null;
        }
        long stable = firstUnstable(marker.producerId()).orElse(marker.lastOffset() + 1);
        return new AbortedTransaction(marker.producerId(), entry.transactionStart(), marker.lastOffset(), stable);
    }

    /// First offset of the oldest open transaction; empty where none is open.
    public OptionalLong firstUnstableOffset() {
        return firstUnstable(Batch.NO_PRODUCER_ID);
    }

    private OptionalLong firstUnstable(long exceptProducerId) {
        long first = Long.MAX_VALUE;
        for (var entry : entries.values()) {
            if (entry.producerId != exceptProducerId && entry.transactionStart() != ProducerEntry.NO_TRANSACTION) {
                first = Math.min(first, entry.transactionStart());
            }
        }
        return first == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(first);
    }

    /// Forgets those whose last batch is `maxAgeMs` old at `now` and who have no open transaction; returns how many.
    public int expire(long now, long maxAgeMs) {
        int before = entries.size();
        entries.values().removeIf(entry -> entry.transactionStart() == ProducerEntry.NO_TRANSACTION && now - entry
                .lastTimestamp() >= maxAgeMs);
        return before - entries.size();
    }

    /// Forgets all.
    public void clear() {
        entries.clear();
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
        entries.clear();
        var read = SnapshotFormat.decode(snapshot);
        if (read == null) {
            return false;
        }
        read.forEach(entry -> entries.put(entry.producerId, entry));
        return true;
    }
}
