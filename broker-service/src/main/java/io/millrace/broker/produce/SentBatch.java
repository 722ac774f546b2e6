package io.millrace.broker.produce;

import java.nio.ByteBuffer;

import io.millrace.wire.error.Refused;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.BaseRecords;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.jspecify.annotations.Nullable;

/// What a Produce request may carry for one partition: exactly one v2 batch. **pure** Everything inside of the batch is
/// the log's to check.
final class SentBatch {
    private static final int LENGTH_AT = 8;
    private static final int MAGIC_AT = 16;
    private static final int ATTRIBUTES_AT = 21;
    private static final int BEFORE_LENGTH = 12;
    private static final int HEADER = 61;
    private static final int CODEC_MASK = 0x07;
    private static final int ZSTD = 4;
    private static final short FIRST_VERSION_WITH_ZSTD = 7;

    private SentBatch() {}

    /// @param records as the request has them
    /// @return the batch, from position to limit
    /// @throws Refused with the code for that partition
    static ByteBuffer of(@Nullable BaseRecords records, short version) {
        if (!(records instanceof MemoryRecords sent) || sent.sizeInBytes() == 0) {
            throw new Refused(Errors.INVALID_RECORD, "Produce requests must have a record batch");
        }
        // The set's own buffer, not a copy: offsets are set in the received frame.
        var bytes = sent.buffer();
        int start = bytes.position();
        if (bytes.remaining() > MAGIC_AT && bytes.get(start + MAGIC_AT) != 2) {
            throw new Refused(Errors.INVALID_RECORD, "Produce requests must have a record batch of magic 2");
        }
        if (bytes.remaining() < HEADER) {
            throw new Refused(Errors.CORRUPT_MESSAGE, "a batch of %d bytes is cut".formatted(bytes.remaining()));
        }
        long whole = (long) bytes.getInt(start + LENGTH_AT) + BEFORE_LENGTH;
        if (whole > bytes.remaining() || whole < HEADER) {
            throw new Refused(Errors.CORRUPT_MESSAGE, "a batch of %d bytes says that it has %d".formatted(bytes
                    .remaining(), whole));
        }
        if (whole < bytes.remaining()) {
            throw new Refused(Errors.INVALID_RECORD, "Produce requests must have exactly one record batch");
        }
        int attributes = bytes.getShort(start + ATTRIBUTES_AT);
        if ((attributes & CODEC_MASK) == ZSTD && version < FIRST_VERSION_WITH_ZSTD) {
            throw new Refused(Errors.UNSUPPORTED_COMPRESSION_TYPE, "zstd needs Produce version 7");
        }
        return bytes;
    }
}
