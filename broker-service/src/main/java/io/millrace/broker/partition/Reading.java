package io.millrace.broker.partition;

import java.io.IOException;
import java.util.List;

import io.millrace.log.PartitionLog;
import io.millrace.log.batch.LogRefused;
import io.millrace.log.epoch.EpochEndOffset;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/// One look at a log for a reader.
final class Reading {
    private Reading() {}

    /// @param coming whether what the reader wants is known to be on its way, so that an offset beyond the log's end is none
    ///        out of range
    static PartitionRead read(PartitionLog log, ReadFrom from, int maxBytes, boolean atLeastOneBatch, ReadLimit limit,
            boolean coming) throws IOException {
        // Before the records are looked for: what is answered then holds at least what these offsets promise.
        long highWatermark = log.highWatermark();
        long lastStable = log.lastStableOffset();
        if (coming && from.offset() > log.logEndOffset()) {
            return nothing(log);
        }
        var diverging = divergence(log, from.offset(), from.lastEpoch());
        if (diverging != null) {
            return new PartitionRead(highWatermark, lastStable, log.logStartOffset(), null, List.of(), diverging);
        }
        var read = switch (limit) {
            case LOG_END -> log.read(from.offset(), maxBytes, atLeastOneBatch, log.logEndOffset());
            case HIGH_WATERMARK -> log.read(from.offset(), maxBytes, atLeastOneBatch, highWatermark);
            case LAST_STABLE -> log.readCommitted(from.offset(), maxBytes, atLeastOneBatch);
        };
        return new PartitionRead(highWatermark, lastStable, read.logStartOffset(), read.slice(), read.aborted(), null);
    }

    /// How far there is to read, and no records.
    static PartitionRead nothing(PartitionLog log) {
        return new PartitionRead(log.highWatermark(), log.lastStableOffset(), log.logStartOffset(), null, List.of(),
                null);
    }

    /// Where the history of a reader at `offset` parts from that of `log`; null where it does not.
    static @Nullable EpochEndOffset divergence(PartitionLog log, long offset, int lastEpoch) {
        if (lastEpoch == Partition.NO_LAST_EPOCH) {
            return null;
        }
        var end = log.endOffsetFor(lastEpoch);
        return end.epoch() >= 0 && (end.epoch() < lastEpoch || end.endOffset() < offset) ? end : null;
    }

    static void refuseOutOfRange(PartitionLog log, long offset) {
        if (offset < log.logStartOffset() || offset > log.logEndOffset()) {
            throw new LogRefused(Errors.OFFSET_OUT_OF_RANGE, "offset %d is not in the log of %d to %d".formatted(offset,
                    log.logStartOffset(), log.logEndOffset()));
        }
    }
}
