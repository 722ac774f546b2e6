package io.millrace.log.segment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import io.millrace.log.batch.Batch;
import io.millrace.log.disk.Disk;
import io.millrace.log.disk.LogFile;
import io.millrace.log.disk.SegmentFiles;
import io.millrace.log.index.OffsetIndex;
import io.millrace.log.index.TimeIndex;
import io.millrace.log.transaction.AbortedTransaction;
import io.millrace.log.transaction.TransactionIndex;
import org.jspecify.annotations.Nullable;

/// A stretch of the log in one file, and its indexes. One writer, under the log's lock; readers need none, but hold the
/// segment ([#hold]) while they read, so that its file stays open.
public final class Segment {
    private static final long UNKNOWN_TIME = Long.MIN_VALUE;

    private final Disk disk;
    private final Path directory;
    private final long baseOffset;
    private final LogFile file;
    private final OffsetIndex offsets;
    private final TimeIndex times;
    private final TransactionIndex transactions;
    private final int indexIntervalBytes;
    private final long createdAt;
    /// The owner's hold, and one for each reader.
    private final AtomicInteger holds = new AtomicInteger(1);
    /// After the usual ends of the files' names: empty but while the segment comes or goes.
    private volatile String suffix;
    private volatile int size;
    private volatile MaxTime max = new MaxTime(UNKNOWN_TIME, -1);
    private int bytesSinceIndexEntry;
    private long firstBatchTime = UNKNOWN_TIME;

    /// @param timestamp the latest of a segment, -1 where there is none
    /// @param offset last one of the batch that has it
    private record MaxTime(long timestamp, long offset) {}

    private Segment(Disk disk, Path directory, long baseOffset, String suffix, SegmentLimits limits, long now)
            throws IOException {
        this.disk = disk;
        this.directory = directory;
        this.baseOffset = baseOffset;
        this.suffix = suffix;
        this.file = disk.open(path(SegmentFiles.LOG));
        this.offsets = new OffsetIndex(disk, path(SegmentFiles.INDEX), baseOffset, limits.indexBytes());
        this.times = new TimeIndex(disk, path(SegmentFiles.TIME_INDEX), baseOffset, limits.indexBytes());
        this.transactions = new TransactionIndex(disk, path(SegmentFiles.TXN_INDEX));
        this.indexIntervalBytes = limits.indexIntervalBytes();
        this.createdAt = now;
        this.size = Math.toIntExact(file.size());
    }

    /// Opens an existing segment without reading it.
    public static Segment open(Disk disk, Path directory, long baseOffset, SegmentLimits limits, long now)
            throws IOException {
        return new Segment(disk, directory, baseOffset, "", limits, now);
    }

    /// Opens one that the cleaner has finished, before it takes its place.
    public static Segment openSwapped(Disk disk, Path directory, long baseOffset, SegmentLimits limits, long now)
            throws IOException {
        return new Segment(disk, directory, baseOffset, SegmentFiles.SWAP, limits, now);
    }

    /// Creates an empty one; files of that name that a crash has left are emptied.
    public static Segment create(Disk disk, Path directory, long baseOffset, SegmentLimits limits, long now)
            throws IOException {
        var segment = empty(disk, directory, baseOffset, "", limits, now);
        if (limits.preallocate()) {
            segment.file.resize(limits.segmentBytes());
        }
        return segment;
    }

    /// Creates an empty one that the cleaner fills beside those that it will replace.
    public static Segment createCleaned(Disk disk, Path directory, long baseOffset, SegmentLimits limits, long now)
            throws IOException {
        return empty(disk, directory, baseOffset, SegmentFiles.CLEANED, limits, now);
    }

    private static Segment empty(Disk disk, Path directory, long baseOffset, String suffix, SegmentLimits limits,
            long now) throws IOException {
        for (var index : SegmentFiles.INDEXES) {
            disk.delete(SegmentFiles.path(directory, baseOffset, index + suffix));
        }
        var segment = new Segment(disk, directory, baseOffset, suffix, limits, now);
        segment.file.truncate(0);
        segment.size = 0;
        segment.max = new MaxTime(-1, baseOffset);
        return segment;
    }

    private Path path(String kind) {
        return SegmentFiles.path(directory, baseOffset, kind + suffix);
    }

    public long baseOffset() {
        return baseOffset;
    }

    public int sizeBytes() {
        return size;
    }

    /// Writes batches at the end, in one go, and indexes them. A failure leaves the segment as it was, but for bytes past its
    /// size.
    ///
    /// @param bytes the batches, from position to limit
    /// @param batches the same, one by one
    public void append(ByteBuffer bytes, List<Batch> batches) throws IOException {
        file.write(bytes.duplicate(), size);
        int position = size;
        for (var batch : batches) {
            index(batch, position);
            position += batch.sizeBytes();
        }
        size = position;
    }

    private void index(Batch batch, int position) throws IOException {
        if (firstBatchTime == UNKNOWN_TIME) {
            firstBatchTime = batch.maxTimestamp();
        }
        long lastOffset = batch.lastOffset();
        if (batch.maxTimestamp() > maxTime().timestamp) {
            max = new MaxTime(batch.maxTimestamp(), lastOffset);
        }
        if (bytesSinceIndexEntry > indexIntervalBytes && !offsets.isFull()) {
            offsets.append(lastOffset, position);
            times.appendIfLater(max.timestamp, max.offset);
            bytesSinceIndexEntry = 0;
        }
        bytesSinceIndexEntry += batch.sizeBytes();
    }

    /// Whether `bytes` more, of which `lastOffset` is the last and `maxTimestamp` the latest, belong into a new segment.
    public boolean isFullFor(int bytes, long lastOffset, long maxTimestamp, SegmentLimits limits, long jitterMs,
            long now) throws IOException {
        if (size == 0) {
            return !fits(lastOffset);
        }
        return size > limits.segmentBytes() - bytes || offsets.isFull() || times.isFull() || !fits(lastOffset) || age(
                maxTimestamp, now) > limits.segmentMs() - jitterMs;
    }

    private boolean fits(long lastOffset) {
        return lastOffset - baseOffset <= Integer.MAX_VALUE;
    }

    // As Kafka counts it: by the times in the batches where they have any, else from when the segment was opened.
    private long age(long maxTimestamp, long now) throws IOException {
        if (firstBatchTime == UNKNOWN_TIME) {
            firstBatchTime = firstBatchTimestamp();
        }
        return firstBatchTime >= 0 && maxTimestamp >= 0 ? maxTimestamp - firstBatchTime : now - createdAt;
    }

    /// The latest time of its first batch, in milliseconds since 1970; negative where there is none.
    public long firstBatchTimestamp() throws IOException {
        return size < Batch.HEADER_BYTES
                ? UNKNOWN_TIME
                : new FileWindow(file, FileWindow.LOOKUP_BYTES).header(0).maxTimestamp();
    }

    /// When it was opened, in milliseconds since 1970.
    public long createdAt() {
        return createdAt;
    }

    /// Bytes of the larger one of its indexes.
    public int indexBytes() {
        return Math.max(offsets.sizeBytes(), times.sizeBytes());
    }

    /// Notes a transaction whose abort marker is in here.
    public void aborted(AbortedTransaction transaction) throws IOException {
        transactions.append(transaction);
    }

    /// Transactions whose abort marker is in here, in order.
    public List<AbortedTransaction> abortedTransactions() throws IOException {
        return transactions.list();
    }

    /// Adds to `found` what a reader of committed records has to know of this segment; see
    /// [TransactionIndex#collect].
    public boolean collectAborted(long from, long bound, List<AbortedTransaction> found) throws IOException {
        return transactions.collect(from, bound, found);
    }

    /// An offset after the last record before `position`; empty where the index is not that far.
    public OptionalLong offsetAfter(int position) {
        return offsets.offsetFrom(position);
    }

    /// Forgets them, for those who note them anew.
    public void clearAborted() throws IOException {
        transactions.clear();
    }

    /// A batch in the file.
    ///
    /// @param batch its header alone
    public record Found(int position, Batch batch) {}

    /// The first batch whose last offset is not below `offset`; null where there is none before `end`.
    ///
    /// @param end bytes that may be looked at: a size that was read before
    public @Nullable Found find(long offset, int end) throws IOException {
        var window = new FileWindow(file, FileWindow.LOOKUP_BYTES);
        int start = offsets.positionBefore(offset);
        var found = scan(window, start, offset, end);
        // An index entry that does not lead to a batch is rotten; the file itself still answers.
        return found == null && start > 0 && !isBatchBefore(window, start, offset, end)
                ? scan(window, 0, offset, end)
                : found;
    }

    private @Nullable Found scan(FileWindow window, int start, long offset, int end) throws IOException {
        int position = start;
        while (position >= 0 && position <= end - Batch.HEADER_BYTES) {
            var batch = window.header(position);
            int size = batch.sizeBytes();
            if (size < Batch.HEADER_BYTES || size > end - position || batch.magic() != Batch.MAGIC) {
                return null;
            }
            if (batch.lastOffset() >= offset) {
                return batch.baseOffset() >= baseOffset ? new Found(position, batch) : null;
            }
            position += size;
        }
        return null;
    }

    private boolean isBatchBefore(FileWindow window, int position, long offset, int end) throws IOException {
        if (position < 0 || position > end - Batch.HEADER_BYTES) {
            return false;
        }
        var batch = window.header(position);
        return batch.magic() == Batch.MAGIC && batch.sizeBytes() >= Batch.HEADER_BYTES && batch.sizeBytes() <= end
                - position && batch.baseOffset() >= baseOffset && batch.baseOffset() <= offset;
    }

    /// Goes over all batches that end at or after `offset`, headers only, in order, until `visitor` says that it has enough.
    ///
    /// @param end bytes that may be looked at
    public void visit(long offset, int end, BatchVisitor visitor) throws IOException {
        var found = find(offset, end);
        int position = found == null ? end : found.position;
        var window = new FileWindow(file, Math.clamp(end - position, Batch.HEADER_BYTES, FileWindow.VISIT_BYTES));
        while (position <= end - Batch.HEADER_BYTES) {
            var batch = window.header(position);
            int size = batch.sizeBytes();
            if (size < Batch.HEADER_BYTES || !visitor.visit(batch, position)) {
                return;
            }
            position += size;
        }
    }

    /// Shows all batches that end at or after `offset` to `reader`: headers alone, but control batches whole.
    public void replay(long offset, Consumer<Batch> reader) throws IOException {
        visit(offset, size, (batch, position) -> {
            reader.accept(batch.isControl() ? load(position, batch.sizeBytes()) : batch);
            return true;
        });
    }

    /// Offset after the last batch.
    public long nextOffset() throws IOException {
        var next = new long[]{baseOffset};
        visit(Math.max(baseOffset, offsets.lastOffset()), size, (batch, _) -> {
            next[0] = batch.lastOffset() + 1;
            return true;
        });
        return next[0];
    }

    /// Fills `target` from `position` on, as far as the file reaches.
    public void read(ByteBuffer target, int position) throws IOException {
        file.read(target, position);
    }

    /// A batch, whole, in a buffer of its own.
    public Batch load(int position, int bytes) throws IOException {
        var buffer = ByteBuffer.allocate(bytes);
        if (file.read(buffer, position) < bytes) {
            throw new IOException("%s ends inside of the batch at %d".formatted(path(SegmentFiles.LOG), position));
        }
        return new Batch(buffer.flip(), 0);
    }

    /// Where to begin looking for a record that is not before `timestamp`.
    public long offsetBefore(long timestamp) {
        return times.before(timestamp).offset();
    }

    /// The latest time of a record; -1 where there is none.
    public long maxTimestamp() {
        return maxTime().timestamp;
    }

    /// The latest time, or where no record has one the time of the last change of the file.
    public long largestTimestamp() throws IOException {
        long timestamp = maxTimestamp();
        return timestamp >= 0 ? timestamp : disk.lastModified(path(SegmentFiles.LOG));
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

    /// A slice of the file, which is held until the slice is closed; null where the segment is closed already.
    public @Nullable LogSlice slice(int position, int bytes) {
        return hold() ? new LogSlice(file.channel(), position, bytes, this::release) : null;
    }

    /// Keeps the files open until [#release]; false where they are closed already.
    public boolean hold() {
        int now = holds.get();
        while (now > 0 && !holds.compareAndSet(now, now + 1)) {
            now = holds.get();
        }
        return now > 0;
    }

    /// Undoes one [#hold]. The last one, be it the owner's, closes the files.
    public void release() {
        if (holds.decrementAndGet() == 0) {
            offsets.unmap();
            times.unmap();
            try {
                file.close();
            } catch (IOException failure) {
                // Nothing that was written is lost: it was written, or synced, before.
                throw new UncheckedIOException(failure);
            }
        }
    }

    /// Cuts off every batch that reaches `offset` or beyond.
    public void truncateTo(long offset) throws IOException {
        var found = find(offset, size);
        offsets.truncateTo(offset);
        times.truncateTo(offset);
        transactions.truncateTo(offset);
        if (found != null) {
            file.truncate(found.position);
            size = found.position;
        }
        forgetTimes();
    }

    private void forgetTimes() throws IOException {
        bytesSinceIndexEntry = 0;
        if (size == 0) {
            firstBatchTime = UNKNOWN_TIME;
            max = new MaxTime(-1, baseOffset);
            return;
        }
        var last = times.last();
        max = new MaxTime(last.timestamp(), last.offset());
        visit(last.timestamp() < 0 ? baseOffset : last.offset() + 1, size, (batch, _) -> {
            if (batch.maxTimestamp() > max.timestamp) {
                max = new MaxTime(batch.maxTimestamp(), batch.lastOffset());
            }
            return true;
        });
    }

    /// Checks every batch, rebuilds both indexes, and cuts the file at the first batch that is not whole.
    ///
    /// @param trusted batches below this offset are on disk for sure: their CRC is not computed
    /// @param visitor told of every good batch
    /// @return bytes that were cut off
    public long recover(long trusted, BatchVisitor visitor) throws IOException {
        offsets.clear();
        times.clear();
        bytesSinceIndexEntry = 0;
        firstBatchTime = UNKNOWN_TIME;
        max = new MaxTime(-1, baseOffset);
        long fileSize = file.size();
        int end = (int) Math.min(fileSize, Integer.MAX_VALUE);
        // Most of a thousand logs are small.
        var window = new FileWindow(file, Math.clamp(fileSize, FileWindow.LOOKUP_BYTES, FileWindow.SCAN_BYTES));
        long nextOffset = baseOffset;
        int position = 0;
        while (position <= end - Batch.HEADER_BYTES) {
            var batch = window.header(position);
            int bytes = batch.sizeBytes();
            if (!isWhole(batch, end - position, nextOffset) || (batch.lastOffset() >= trusted && !window.hasValidCrc(
                    position, bytes))) {
                break;
            }
            batch = window.header(position);
            index(batch, position);
            visitor.visit(batch, position);
            nextOffset = batch.lastOffset() + 1;
            position += bytes;
        }
        file.truncate(position);
        size = position;
        return fileSize - position;
    }

    private boolean isWhole(Batch batch, int available, long nextOffset) {
        return batch.sizeBytes() >= Batch.HEADER_BYTES && batch.sizeBytes() <= available && batch.magic() == Batch.MAGIC
                && batch.baseOffset() >= nextOffset && batch.lastOffsetDelta() >= 0 && fits(batch.lastOffset());
    }

    /// Whether the side files look as if they belonged to this segment.
    public boolean hasSaneIndexes() throws IOException {
        return offsets.isSane(size) && times.isSane();
    }

    /// The segment will not be the last one any more: its last time is noted, its files are cut to what is in them.
    public void seal() throws IOException {
        times.sealIfLater(maxTime().timestamp, maxTime().offset);
        trim();
    }

    /// Cuts the files to what is in them.
    public void trim() throws IOException {
        offsets.trim();
        times.trim();
        file.truncate(size);
    }

    /// Makes all of it durable.
    public void sync() throws IOException {
        file.sync();
        offsets.sync();
        times.sync();
        transactions.sync();
    }

    /// Makes the batches durable, and nothing that can be made anew from them.
    public void syncBatches() throws IOException {
        file.syncData();
    }

    /// Gives every file another suffix, the log itself last. Readers go on.
    ///
    /// @param to `.deleted`, `.swap`, or nothing for one that is now of the log
    public void rename(String to) throws IOException {
        offsets.rename(SegmentFiles.path(directory, baseOffset, SegmentFiles.INDEX + to));
        times.rename(SegmentFiles.path(directory, baseOffset, SegmentFiles.TIME_INDEX + to));
        transactions.rename(SegmentFiles.path(directory, baseOffset, SegmentFiles.TXN_INDEX + to));
        var from = path(SegmentFiles.LOG);
        if (disk.exists(from)) {
            disk.rename(from, SegmentFiles.path(directory, baseOffset, SegmentFiles.LOG + to));
        }
        suffix = to;
    }

    /// Deletes the files, under whatever name they have now.
    public void deleteFiles() throws IOException {
        for (var kind : SegmentFiles.ALL) {
            disk.delete(path(kind));
        }
    }

    @Override
    public String toString() {
        return "segment(baseOffset=%d, size=%d)".formatted(baseOffset, size);
    }
}
