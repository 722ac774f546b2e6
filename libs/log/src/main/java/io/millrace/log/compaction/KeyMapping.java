package io.millrace.log.compaction;

import java.io.IOException;
import java.util.List;

import io.millrace.log.batch.Batch;
import io.millrace.log.batch.Batches;
import io.millrace.log.segment.Segment;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.utils.internals.BufferSupplier;

/// The first pass of a clean: the keys of the dirty part go into the map, as far as there is room.
final class KeyMapping {
    private final OffsetMap keys;
    private final TransactionTracker transactions;
    private final BufferSupplier decompression;
    private final long from;
    private long end;

    /// @param from first dirty offset
    KeyMapping(OffsetMap keys, TransactionTracker transactions, BufferSupplier decompression, long from) {
        this.keys = keys;
        this.transactions = transactions;
        this.decompression = decompression;
        this.from = from;
        this.end = from;
    }

    /// Offsets below, from the first dirty one on, are in the map.
    long end() {
        return end;
    }

    /// @param nextBase where the next segment begins
    /// @return false where the map is full
    boolean add(Segment segment, long nextBase, Pass pass) throws IOException, CleaningAborted, Uncleanable {
        boolean all = pass.over(segment, this::add);
        if (all) {
            end = Math.max(end, nextBase);
        } else if (end == from) {
            throw new Uncleanable("log.cleaner.dedupe.buffer.size has no room for the keys of the batch at offset "
                    + from);
        }
        return all;
    }

    private boolean add(List<Batch> batches) throws Uncleanable {
        var views = MemoryRecords.readableRecords(Batches.bytes(batches)).batches().iterator();
        for (var batch : batches) {
            var view = views.next();
            if (batch.lastOffset() < from) {
                continue;
            }
            if (batch.count() > keys.left()) {
                return false;
            }
            if (!transactions.canGo(view) && !batch.isControl()) {
                put(view);
            }
            end = batch.lastOffset() + 1;
        }
        return true;
    }

    private void put(RecordBatch batch) throws Uncleanable {
        try (var records = batch.streamingIterator(decompression)) {
            while (records.hasNext()) {
                var record = records.next();
                if (record.hasKey() && record.offset() >= from) {
                    keys.put(record.key(), record.offset());
                }
            }
        } catch (KafkaException | IllegalArgumentException unreadable) {
            throw new Uncleanable("the batch at offset %d cannot be read: %s".formatted(batch.baseOffset(),
                    unreadable));
        }
    }
}
