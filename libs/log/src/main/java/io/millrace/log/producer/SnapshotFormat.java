package io.millrace.log.producer;

import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.zip.CRC32C;

import org.jspecify.annotations.Nullable;

/// Kafka's producer snapshot, version 1: version 2 bytes, CRC-32C of what follows 4, number of entries 4; an entry is
/// producerId 8, epoch 2, lastSequence 4, lastOffset 8, offsetDelta 4, timestamp 8, coordinatorEpoch 4,
/// currentTxnFirstOffset 8. A producer has an entry for each of its kept batches, oldest first, so that all it may have under
/// way are known after a restart. The last one tells the rest about it; Kafka, which keeps one, goes by the last as well.
final class SnapshotFormat {
    private static final short VERSION = 1;
    private static final int CRC = 2;
    private static final int ENTRIES = 6;
    private static final int HEADER_BYTES = 10;
    private static final int ENTRY_BYTES = 46;

    private SnapshotFormat() {}

    static byte[] encode(Collection<ProducerEntry> entries) {
        int count = entries.stream().mapToInt(entry -> Math.max(1, entry.keptBatches().size())).sum();
        var buffer = ByteBuffer.allocate(HEADER_BYTES + count * ENTRY_BYTES);
        buffer.putShort(VERSION).putInt(0).putInt(count);
        for (var entry : entries) {
            var last = entry.lastBatch();
            for (var kept : entry.keptBatches()) {
                if (!kept.equals(last)) {
                    put(buffer, entry, kept, kept.timestamp(), ProducerEntry.NO_TRANSACTION);
                }
            }
            put(buffer, entry, last, entry.lastTimestamp(), entry.transactionStart());
        }
        buffer.putInt(CRC, crc(buffer.array()));
        return buffer.array();
    }

    private static void put(ByteBuffer buffer, ProducerEntry entry, @Nullable KeptBatch batch, long timestamp,
            long transactionStart) {
        buffer.putLong(entry.producerId).putShort(entry.epoch()).putInt(batch == null ? -1 : batch.lastSequence());
        buffer.putLong(batch == null ? -1 : batch.lastOffset()).putInt(batch == null ? 0 : batch.offsetDelta());
        buffer.putLong(timestamp).putInt(entry.coordinatorEpoch()).putLong(transactionStart);
    }

    /// Null where the bytes are not a whole snapshot.
    static @Nullable Collection<ProducerEntry> decode(byte[] bytes) {
        var buffer = ByteBuffer.wrap(bytes);
        if (bytes.length < HEADER_BYTES || buffer.getShort() != VERSION || buffer.getInt() != crc(bytes)) {
            return null;
        }
        int count = buffer.getInt();
        if (count < 0 || buffer.remaining() != (long) count * ENTRY_BYTES) {
            return null;
        }
        var entries = new LinkedHashMap<Long, ProducerEntry>();
        for (int i = 0; i < count; i++) {
            entries.compute(buffer.getLong(), (id, before) -> entry(id, before, buffer));
        }
        return entries.values();
    }

    private static ProducerEntry entry(long id, @Nullable ProducerEntry before, ByteBuffer buffer) {
        short epoch = buffer.getShort();
        int lastSequence = buffer.getInt();
        long lastOffset = buffer.getLong();
        int offsetDelta = buffer.getInt();
        long timestamp = buffer.getLong();
        var entry = new ProducerEntry(id, epoch, buffer.getInt(), timestamp, buffer.getLong());
        if (before != null && before.epoch() == epoch) {
            before.keptBatches().forEach(entry::keep);
        }
        if (lastOffset >= 0 && lastSequence >= 0) {
            entry.keep(new KeptBatch(lastSequence, lastOffset, offsetDelta, timestamp));
        }
        return entry;
    }

    private static int crc(byte[] bytes) {
        var crc = new CRC32C();
        crc.update(bytes, ENTRIES, bytes.length - ENTRIES);
        return (int) crc.getValue();
    }
}
