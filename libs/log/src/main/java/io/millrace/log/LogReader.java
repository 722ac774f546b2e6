package io.millrace.log;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.millrace.log.batch.Batch;
import io.millrace.log.batch.LogRefused;
import io.millrace.log.segment.LogSlice;
import io.millrace.log.segment.Segment;
import io.millrace.log.segment.Segments;
import io.millrace.log.transaction.AbortedTransaction;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.utils.internals.BufferSupplier;
import org.jspecify.annotations.Nullable;

/// Reads of one log, on any thread, without its lock.
final class LogReader {
    private final Segments segments;
    private final LogOffsets offsets;

    LogReader(Segments segments, LogOffsets offsets) {
        this.segments = segments;
        this.offsets = offsets;
    }

    ReadResult read(long offset, int maxBytes, boolean atLeastOneBatch, long upperBoundOffset) throws IOException {
        return read(offset, maxBytes, atLeastOneBatch, upperBoundOffset, false);
    }

    /// The same below the last stable offset, with the aborted transactions that the reader has to pass over.
    ReadResult readCommitted(long offset, int maxBytes, boolean atLeastOneBatch, long lastStable) throws IOException {
        return read(offset, maxBytes, atLeastOneBatch, lastStable, true);
    }

    private ReadResult read(long offset, int maxBytes, boolean atLeastOneBatch, long upperBoundOffset,
            boolean committed) throws IOException {
        var tail = offsets.tail();
        long end = tail.end();
        long start = offsets.start();
        if (offset < start || offset > end) {
            throw new LogRefused(Errors.OFFSET_OUT_OF_RANGE, "offset %d is not in the log of %d to %d".formatted(offset,
                    start, end));
        }
        var nothing = new ReadResult(null, start, end, List.of());
        if (offset >= Math.min(upperBoundOffset, end)) {
            return nothing;
        }
        for (var segment : segments.from(offset)) {
            if (segment.baseOffset() > tail.segment().baseOffset()) {
                break;
            }
            int size = segment == tail.segment() ? tail.sizeBytes() : segment.sizeBytes();
            var found = find(segment, offset, size);
            if (found != null) {
                var slice = slice(segment, found, size, maxBytes, atLeastOneBatch, upperBoundOffset < end
                        ? upperBoundOffset
                        : Long.MAX_VALUE);
                return slice != null && committed
                        ? withAborted(slice, segment, nothing, offset, upperBoundOffset)
                        : new ReadResult(slice, start, end, List.of());
            }
        }
        return nothing;
    }

    private ReadResult withAborted(LogSlice slice, Segment segment, ReadResult plain, long offset, long lastStable)
            throws IOException {
        try {
            return new ReadResult(slice, plain.logStartOffset(), plain.logEndOffset(), aborted(offset, Math.min(
                    lastStable, offsetAfter(slice, segment))));
        } catch (IOException | RuntimeException failure) {
            slice.close();
            throw failure;
        }
    }

    private long offsetAfter(LogSlice slice, Segment segment) {
        var noted = segment.offsetAfter(Math.toIntExact(slice.position() + slice.size()));
        return noted.isPresent() ? noted.getAsLong() : segments.baseOffsetAfter(segment);
    }

    /// Markers lie behind what they end, perhaps in later segments.
    private List<AbortedTransaction> aborted(long offset, long bound) throws IOException {
        var found = new ArrayList<AbortedTransaction>();
        for (var segment : segments.from(offset)) {
            if (segment.hold()) {
                try {
                    if (segment.collectAborted(offset, bound, found)) {
                        break;
                    }
                } finally {
                    segment.release();
                }
            }
        }
        return found;
    }

    private static Segment.@Nullable Found find(Segment segment, long offset, int size) throws IOException {
        if (!segment.hold()) {
            return null;
        }
        try {
            return segment.find(offset, size);
        } finally {
            segment.release();
        }
    }

    private static @Nullable LogSlice slice(Segment segment, Segment.Found found, int size, int maxBytes,
            boolean atLeastOneBatch, long bound) throws IOException {
        int position = found.position();
        if (found.batch().baseOffset() >= bound) {
            return null;
        }
        int end = size;
        if (bound != Long.MAX_VALUE) {
            var beyond = find(segment, bound, size);
            end = beyond == null ? size : beyond.position();
            // The bound lies inside of the batch: batches are given whole or not at all.
            if (end <= position) {
                return null;
            }
        }
        int first = found.batch().sizeBytes();
        if (atLeastOneBatch) {
            return segment.slice(position, Math.max(first, Math.min(maxBytes, end - position)));
        }
        // A reader that gets nothing but a torn batch takes it for one that it can never read.
        return maxBytes < first ? null : segment.slice(position, Math.min(maxBytes, end - position));
    }

    Optional<TimestampAndOffset> offsetForTimestamp(long timestamp) throws IOException {
        long start = offsets.start();
        for (var segment : segments.from(start)) {
            if (!segment.hold()) {
                continue;
            }
            try {
                if (segment.maxTimestamp() >= timestamp) {
                    var found = firstNotBefore(segment, timestamp, start);
                    if (found.isPresent()) {
                        return found;
                    }
                }
            } finally {
                segment.release();
            }
        }
        return Optional.empty();
    }

    Optional<TimestampAndOffset> maxTimestamp() throws IOException {
        long start = offsets.start();
        Segment latest = null;
        for (var segment : segments.from(start)) {
            if (latest == null || segment.maxTimestamp() > latest.maxTimestamp()) {
                latest = segment;
            }
        }
        if (latest == null || latest.maxTimestamp() < 0 || !latest.hold()) {
            return Optional.empty();
        }
        try {
            return firstNotBefore(latest, latest.maxTimestamp(), start);
        } finally {
            latest.release();
        }
    }

    private static Optional<TimestampAndOffset> firstNotBefore(Segment segment, long timestamp, long start)
            throws IOException {
        int size = segment.sizeBytes();
        long from = Math.max(start, segment.offsetBefore(timestamp));
        while (true) {
            var batch = firstBatchNotBefore(segment, timestamp, from, size);
            if (batch == null) {
                return Optional.empty();
            }
            var found = firstRecord(batch, timestamp, start);
            if (found.isPresent()) {
                return found;
            }
            from = batch.lastOffset() + 1;
        }
    }

    private static @Nullable Batch firstBatchNotBefore(Segment segment, long timestamp, long from, int size)
            throws IOException {
        var place = new int[]{-1, 0};
        segment.visit(from, size, (batch, position) -> {
            if (batch.maxTimestamp() < timestamp) {
                return true;
            }
            place[0] = position;
            place[1] = batch.sizeBytes();
            return false;
        });
        return place[0] < 0 ? null : segment.load(place[0], place[1]);
    }

    private static Optional<TimestampAndOffset> firstRecord(Batch batch, long timestamp, long start)
            throws IOException {
        var parsed = MemoryRecords.readableRecords(batch.bytes()).batches().iterator().next();
        try (var supplier = BufferSupplier.create(); var records = parsed.streamingIterator(supplier)) {
            while (records.hasNext()) {
                var record = records.next();
                if (record.timestamp() >= timestamp && record.offset() >= start) {
                    return Optional.of(new TimestampAndOffset(record.timestamp(), record.offset(), batch
                            .leaderEpoch()));
                }
            }
            return Optional.empty();
        } catch (KafkaException unreadable) {
            throw new IOException("the batch at offset %d cannot be read".formatted(batch.baseOffset()), unreadable);
        }
    }
}
