package io.millrace.log.segment;

import java.io.IOException;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.function.Function;

import io.millrace.log.batch.Batch;
import io.millrace.log.disk.Disk;
import io.millrace.log.disk.SegmentFiles;
import io.millrace.log.index.OffsetIndex;
import io.millrace.log.index.TimeIndex;
import io.millrace.log.transaction.TransactionIndex;

/// What lies beside the batches of a segment and can be made anew from them: its indexes, and its latest time. One writer,
/// any number of readers.
final class SegmentIndexes {
    private static final long UNKNOWN_TIME = Long.MIN_VALUE;

    private final long baseOffset;
    private final int intervalBytes;
    private final OffsetIndex offsets;
    private final TimeIndex times;
    private final TransactionIndex transactions;
    private volatile MaxTime max = new MaxTime(UNKNOWN_TIME, -1);
    private int bytesSinceEntry;

    /// @param timestamp the latest of a segment, -1 where there is none
    /// @param offset last one of the batch that has it
    private record MaxTime(long timestamp, long offset) {}

    /// @param path of the file of a kind
    SegmentIndexes(Disk disk, Function<String, Path> path, long baseOffset, SegmentLimits limits) throws IOException {
        this.baseOffset = baseOffset;
        this.intervalBytes = limits.indexIntervalBytes();
        this.offsets = new OffsetIndex(disk, path.apply(SegmentFiles.INDEX), baseOffset, limits.indexBytes());
        this.times = new TimeIndex(disk, path.apply(SegmentFiles.TIME_INDEX), baseOffset, limits.indexBytes());
        this.transactions = new TransactionIndex(disk, path.apply(SegmentFiles.TXN_INDEX));
    }

    TransactionIndex transactions() {
        return transactions;
    }

    /// A batch was written at `position`, behind all others.
    void wrote(Batch batch, int position) throws IOException {
        long lastOffset = batch.lastOffset();
        if (batch.maxTimestamp() > maxTime().timestamp) {
            max = new MaxTime(batch.maxTimestamp(), lastOffset);
        }
        if (bytesSinceEntry > intervalBytes && !offsets.isFull()) {
            offsets.append(lastOffset, position);
            times.appendIfLater(max.timestamp, max.offset);
            bytesSinceEntry = 0;
        }
        bytesSinceEntry += batch.sizeBytes();
    }

    boolean isFull() {
        return offsets.isFull() || times.isFull();
    }

    /// Bytes of the larger one.
    int sizeBytes() {
        return Math.max(offsets.sizeBytes(), times.sizeBytes());
    }

    /// Position of a batch at or before the one that holds `offset`.
    int positionBefore(long offset) {
        return offsets.positionBefore(offset);
    }

    /// An offset after the last record before `position`; empty where the index is not that far.
    OptionalLong offsetAfter(int position) {
        return offsets.offsetFrom(position);
    }

    /// An offset at or before that of the last batch.
    long lastKnownOffset() {
        return offsets.lastOffset();
    }

    /// Where to begin looking for a record that is not before `timestamp`.
    long offsetBefore(long timestamp) {
        return times.before(timestamp).offset();
    }

    /// The latest time of a record; -1 where there is none.
    long maxTimestamp() {
        return maxTime().timestamp;
    }

    private MaxTime maxTime() {
        var known = max;
        if (known.timestamp != UNKNOWN_TIME) {
            return known;
        }
        var last = times.last();
        known = new MaxTime(last.timestamp(), last.offset());
        max = known;
        return known;
    }

    /// The segment holds no batch. Nobody may read meanwhile.
    void empty() throws IOException {
        offsets.clear();
        times.clear();
        bytesSinceEntry = 0;
        max = new MaxTime(-1, baseOffset);
    }

    /// Batches that reach `offset` or beyond are cut off.
    void truncateTo(long offset) throws IOException {
        offsets.truncateTo(offset);
        times.truncateTo(offset);
        transactions.truncateTo(offset);
    }

    /// The latest time has to be found anew.
    ///
    /// @return the offset from which on batches are to be [#shown][#seen]
    long forgetTimes() {
        bytesSinceEntry = 0;
        var last = times.last();
        max = new MaxTime(last.timestamp(), last.offset());
        return last.timestamp() < 0 ? baseOffset : last.offset() + 1;
    }

    /// Notes the time of a batch that is there already.
    void seen(Batch batch) {
        if (batch.maxTimestamp() > max.timestamp) {
            max = new MaxTime(batch.maxTimestamp(), batch.lastOffset());
        }
    }

    /// Whether the files look as if they belonged to a segment of `segmentBytes`.
    boolean areSane(int segmentBytes) throws IOException {
        return offsets.isSane(segmentBytes) && times.isSane();
    }

    /// Notes the latest time as the last one.
    void seal() throws IOException {
        times.sealIfLater(maxTime().timestamp, maxTime().offset);
        trim();
    }

    /// Cuts the files to what is in them.
    void trim() throws IOException {
        offsets.trim();
        times.trim();
    }

    void sync() throws IOException {
        offsets.sync();
        times.sync();
        transactions.sync();
    }

    /// @param path of the file of a kind, from now on
    void rename(Function<String, Path> path) throws IOException {
        offsets.rename(path.apply(SegmentFiles.INDEX));
        times.rename(path.apply(SegmentFiles.TIME_INDEX));
        transactions.rename(path.apply(SegmentFiles.TXN_INDEX));
    }

    /// Nobody may read any more.
    void unmap() {
        offsets.unmap();
        times.unmap();
    }
}
