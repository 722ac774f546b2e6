package io.millrace.log.producer;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.zip.CRC32C;

import org.jspecify.annotations.Nullable;

/// Kafka's producer snapshot, version 1: version 2 bytes, CRC-32C of what follows 4, number of entries 4; an entry is
/// producerId 8, epoch 2, lastSequence 4, lastOffset 8, offsetDelta 4, timestamp 8, coordinatorEpoch 4,
/// currentTxnFirstOffset 8. Only the last batch of a producer is in it.
final class SnapshotFormat {
    private static final short VERSION = 1;
    private static final int CRC = 2;
    private static final int ENTRIES = 6;
    private static final int HEADER_BYTES = 10;
    private static final int ENTRY_BYTES = 46;

    private SnapshotFormat() {}

    static byte[] encode(Collection<ProducerEntry> entries) {
        var buffer = ByteBuffer.allocate(HEADER_BYTES + entries.size() * ENTRY_BYTES);
        buffer.putShort(VERSION).putInt(0).putInt(entries.size());
        for (var entry : entries) {
            var last = entry.lastBatch();
            buffer.putLong(entry.producerId).putShort(entry.epoch()).putInt(entry.lastSequence());
            buffer.putLong(last == null ? -1 : last.lastOffset()).putInt(last == null ? 0 : last.offsetDelta());
            buffer.putLong(entry.lastTimestamp()).putInt(entry.coordinatorEpoch()).putLong(entry.transactionStart());
        }
        buffer.putInt(CRC, crc(buffer.array()));
        return buffer.array();
    }

    /// Null where the bytes are not a whole snapshot.
    static @Nullable List<ProducerEntry> decode(byte[] bytes) {
        var buffer = ByteBuffer.wrap(bytes);
        if (bytes.length < HEADER_BYTES || buffer.getShort() != VERSION || buffer.getInt() != crc(bytes)) {
            return null;
        }
        int count = buffer.getInt();
        if (count < 0 || buffer.remaining() != (long) count * ENTRY_BYTES) {
            return null;
        }
        var entries = new ArrayList<ProducerEntry>(count);
        for (int i = 0; i < count; i++) {
            entries.add(entry(buffer));
        }
        return entries;
    }

    private static ProducerEntry entry(ByteBuffer buffer) {
        long id = buffer.getLong();
        short epoch = buffer.getShort();
        int lastSequence = buffer.getInt();
        long lastOffset = buffer.getLong();
        int offsetDelta = buffer.getInt();
        long timestamp = buffer.getLong();
        var entry = new ProducerEntry(id, epoch, buffer.getInt(), timestamp, buffer.getLong());
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
