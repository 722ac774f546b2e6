package io.millrace.broker.offsets;

import java.io.IOException;
import java.util.Optional;

import io.millrace.broker.partition.ReadLimit;
import io.millrace.log.PartitionLog;
import io.millrace.log.TimestampAndOffset;
import io.millrace.wire.error.Refused;
import org.apache.kafka.common.protocol.Errors;

/// What ListOffsets can ask for: a time, or one of the negative numbers that stand for places in a log.
final class OffsetLookup {
    static final long LATEST = -1;
    static final long EARLIEST = -2;
    static final long MAX_TIMESTAMP = -3;
    static final long EARLIEST_LOCAL = -4;
    static final long LATEST_TIERED = -5;
    static final long EARLIEST_PENDING_UPLOAD = -6;

    /// Neither a time nor an offset.
    private static final TimestampAndOffset NOTHING = new TimestampAndOffset(-1, -1, -1);

    private OffsetLookup() {}

    /// Whether that version of ListOffsets knows `timestamp`.
    static boolean known(long timestamp, short version) {
        return timestamp >= 0 || firstVersionOf(timestamp) <= version;
    }

    private static int firstVersionOf(long timestamp) {
        if (timestamp < EARLIEST_PENDING_UPLOAD) {
            return Integer.MAX_VALUE;
        }
        return switch ((int) timestamp) {
            case (int) LATEST, (int) EARLIEST -> 1;
            case (int) MAX_TIMESTAMP -> 7;
            case (int) EARLIEST_LOCAL -> 8;
            case (int) LATEST_TIERED -> 9;
            default -> 11;
        };
    }

    /// Whether the answer is found without reading a file.
    static boolean immediate(long timestamp) {
        return timestamp < 0 && timestamp != MAX_TIMESTAMP;
    }

    /// @param limit offsets from there on are not told
    static TimestampAndOffset find(PartitionLog log, long timestamp, ReadLimit limit) {
        long bound = switch (limit) {
            case LOG_END -> log.logEndOffset();
            case HIGH_WATERMARK -> log.highWatermark();
            case LAST_STABLE -> log.lastStableOffset();
        };
        if (timestamp == LATEST) {
            return new TimestampAndOffset(-1, bound, log.latestEpoch().orElse(-1));
        }
        if (timestamp == EARLIEST || timestamp == EARLIEST_LOCAL) {
            long start = log.logStartOffset();
            return new TimestampAndOffset(-1, start, log.epochOf(start).orElse(-1));
        }
        if (timestamp == LATEST_TIERED || timestamp == EARLIEST_PENDING_UPLOAD) {
            return NOTHING; // nothing is tiered
        }
        return read(log, timestamp).filter(found -> found.offset() < bound).orElse(NOTHING);
    }

    private static Optional<TimestampAndOffset> read(PartitionLog log, long timestamp) {
        try {
            return timestamp == MAX_TIMESTAMP ? log.maxTimestamp() : log.offsetForTimestamp(timestamp);
        } catch (IOException failure) {
            throw new Refused(Errors.KAFKA_STORAGE_ERROR, "the log cannot be read: " + failure.getClass()
                    .getSimpleName());
        }
    }
}
