package io.millrace.log.batch;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/// A view on one v2 record batch, changed in place. The fields are those of Kafka's message format:
///
///     0 baseOffset 8 | 8 batchLength 4 | 12 partitionLeaderEpoch 4 | 16 magic 1 | 17 crc 4 | 21 attributes 2
///     23 lastOffsetDelta 4 | 27 baseTimestamp 8 | 35 maxTimestamp 8 | 43 producerId 8 | 51 producerEpoch 2
///     53 baseSequence 4 | 57 recordsCount 4 | 61 records
///
/// The CRC covers everything from the attributes on, so offset and leader epoch can be assigned without computing it anew.
///
/// @param buffer big-endian; at least the header of the batch lies in it
/// @param start index in `buffer` of the first byte
public record Batch(ByteBuffer buffer, int start) {
    /// Bytes of a batch without records.
    public static final int HEADER_BYTES = 61;
    /// Bytes before what `batchLength` counts.
    public static final int LENGTH_PREFIX_BYTES = 12;
    /// The only format that is written.
    public static final byte MAGIC = 2;
    /// No time is known.
    public static final long NO_TIMESTAMP = -1;
    /// The batch is of no idempotent producer.
    public static final long NO_PRODUCER_ID = -1;

    private static final int LENGTH = 8;
    private static final int LEADER_EPOCH = 12;
    private static final int MAGIC_BYTE = 16;
    private static final int CRC = 17;
    private static final int ATTRIBUTES = 21;
    private static final int LAST_OFFSET_DELTA = 23;
    private static final int BASE_TIMESTAMP = 27;
    private static final int MAX_TIMESTAMP = 35;
    private static final int PRODUCER_ID = 43;
    private static final int PRODUCER_EPOCH = 51;
    private static final int BASE_SEQUENCE = 53;
    private static final int COUNT = 57;

    private static final int CODEC_BITS = 0x07;
    private static final int LOG_APPEND_TIME_BIT = 0x08;
    private static final int TRANSACTIONAL_BIT = 0x10;
    private static final int CONTROL_BIT = 0x20;
    private static final int DELETE_HORIZON_BIT = 0x40;

    public long baseOffset() {
        return buffer.getLong(start);
    }

    /// All of it, header included.
    public int sizeBytes() {
        return LENGTH_PREFIX_BYTES + buffer.getInt(start + LENGTH);
    }

    public int leaderEpoch() {
        return buffer.getInt(start + LEADER_EPOCH);
    }

    public byte magic() {
        return buffer.get(start + MAGIC_BYTE);
    }

    public int crc() {
        return buffer.getInt(start + CRC);
    }

    public short attributes() {
        return buffer.getShort(start + ATTRIBUTES);
    }

    public int lastOffsetDelta() {
        return buffer.getInt(start + LAST_OFFSET_DELTA);
    }

    public long lastOffset() {
        return baseOffset() + lastOffsetDelta();
    }

    public long baseTimestamp() {
        return buffer.getLong(start + BASE_TIMESTAMP);
    }

    /// Milliseconds since 1970; [#NO_TIMESTAMP] where there is none.
    public long maxTimestamp() {
        return buffer.getLong(start + MAX_TIMESTAMP);
    }

    public long producerId() {
        return buffer.getLong(start + PRODUCER_ID);
    }

    public boolean hasProducerId() {
        return producerId() > NO_PRODUCER_ID;
    }

    public short producerEpoch() {
        return buffer.getShort(start + PRODUCER_EPOCH);
    }

    public int baseSequence() {
        return buffer.getInt(start + BASE_SEQUENCE);
    }

    /// Sequence of the last record; after the largest `int` comes 0.
    public int lastSequence() {
        return baseSequence() < 0 ? -1 : Sequences.plus(baseSequence(), lastOffsetDelta());
    }

    public int count() {
        return buffer.getInt(start + COUNT);
    }

    /// Kafka's codec id: 0 none, 1 gzip, 2 snappy, 3 lz4, 4 zstd; 5 to 7 do not exist.
    public int codecId() {
        return attributes() & CODEC_BITS;
    }

    public boolean isLogAppendTime() {
        return (attributes() & LOG_APPEND_TIME_BIT) != 0;
    }

    public boolean isTransactional() {
        return (attributes() & TRANSACTIONAL_BIT) != 0;
    }

    public boolean isControl() {
        return (attributes() & CONTROL_BIT) != 0;
    }

    /// When its tombstones, or its marker, may go, in milliseconds since 1970: the cleaner writes it in the place of the base
    /// timestamp. [#NO_TIMESTAMP] where it has not done so.
    public long deleteHorizonMs() {
        return (attributes() & DELETE_HORIZON_BIT) == 0 ? NO_TIMESTAMP : baseTimestamp();
    }

    /// Over the whole batch, which must lie in the buffer.
    public int computeCrc() {
        var crc = new CRC32C();
        crc.update(buffer.duplicate().limit(start + sizeBytes()).position(start + ATTRIBUTES));
        return (int) crc.getValue();
    }

    public boolean hasValidCrc() {
        return crc() == computeCrc();
    }

    /// The whole batch alone, sharing its bytes.
    public ByteBuffer bytes() {
        return buffer.slice(start, sizeBytes());
    }

    /// What a leader assigns to every batch. The CRC does not cover it.
    public void assign(long baseOffset, int leaderEpoch) {
        buffer.putLong(start, baseOffset);
        buffer.putInt(start + LEADER_EPOCH, leaderEpoch);
    }

    /// Every record now has the time `timestamp`, whatever is written in it. The CRC is computed anew.
    public void assignLogAppendTime(long timestamp) {
        setTime((short) (attributes() | LOG_APPEND_TIME_BIT), timestamp);
    }

    /// Each record has the time that is written in it, the latest of which is `maxTimestamp`. The CRC is computed anew
    /// unless that was so already.
    public void assignCreateTime(long maxTimestamp) {
        if (isLogAppendTime() || maxTimestamp() != maxTimestamp) {
            setTime((short) (attributes() & ~LOG_APPEND_TIME_BIT), maxTimestamp);
        }
    }

    private void setTime(short attributes, long maxTimestamp) {
        buffer.putShort(start + ATTRIBUTES, attributes);
        buffer.putLong(start + MAX_TIMESTAMP, maxTimestamp);
        buffer.putInt(start + CRC, computeCrc());
    }
}
