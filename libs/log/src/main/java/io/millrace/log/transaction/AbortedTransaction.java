package io.millrace.log.transaction;

import java.nio.ByteBuffer;

/// One entry of the index: version 2 bytes, then the four numbers, 8 bytes each.
///
/// @param firstOffset of the first record of the transaction
/// @param lastOffset of the abort marker
/// @param lastStableOffset of the log once the marker was written: the first offset of the next open transaction, or the
///        offset after the marker
public record AbortedTransaction(long producerId, long firstOffset, long lastOffset, long lastStableOffset) {
    static final int BYTES = 34;
    private static final short VERSION = 0;

    void writeTo(ByteBuffer target) {
        target.putShort(VERSION).putLong(producerId).putLong(firstOffset).putLong(lastOffset).putLong(
                lastStableOffset);
    }

    static AbortedTransaction read(ByteBuffer source) {
        // A later version adds fields at the end, as Kafka has it, and there is none yet.
        source.getShort();
        return new AbortedTransaction(source.getLong(), source.getLong(), source.getLong(), source.getLong());
    }
}
