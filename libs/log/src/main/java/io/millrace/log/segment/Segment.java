package io.millrace.log.segment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;

import io.millrace.log.batch.Batch;
import io.millrace.log.disk.Disk;
import io.millrace.log.disk.LogFile;
import io.millrace.log.disk.SegmentFiles;
import io.millrace.log.transaction.AbortedTransaction;
import org.jspecify.annotations.Nullable;

/// A stretch of the log in one file, and its indexes. One writer, under the log's lock; readers need none, but hold the
/// segment ([#hold]) while they read, so that its file stays open.
public final class Segment {
    private static final long UNKNOWN_TIME = Long.MIN_VALUE;

    private final Disk disk;
    private final Path directory;
    private final long baseOffset;
    private final LogFile file;
    private final SegmentIndexes indexes;
    private final BatchReader batches;
    private final long createdAt;
    private final Holds holds = new Holds();
    /// After the usual ends of the files' names: empty but while the segment comes or goes.
    private volatile String suffix;
    private volatile int size;
    private long firstBatchTime = UNKNOWN_TIME;

    private Segment(Disk disk, Path directory, long baseOffset, String suffix, SegmentLimits limits, long now)
            throws IOException {
        this.disk = disk;
        this.directory = directory;
        this.baseOffset = baseOffset;
        this.suffix = suffix;
        this.file = disk.open(path(SegmentFiles.LOG));
        this.indexes = new SegmentIndexes(disk, this::path, baseOffset, limits);
        this.batches = new BatchReader(file, indexes, baseOffset);
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
        segment.indexes.empty();
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
    /// @param written the same, one by one
    public void append(ByteBuffer bytes, List<Batch> written) throws IOException {
        file.write(bytes.duplicate(), size);
        int position = size;
        for (var batch : written) {
            index(batch, position);
            position += batch.sizeBytes();
        }
        size = position;
    }

    private void index(Batch batch, int position) throws IOException {
        if (firstBatchTime == UNKNOWN_TIME) {
            firstBatchTime = batch.maxTimestamp();
        }
        indexes.wrote(batch, position);
    }

    /// Whether `bytes` more, of which `lastOffset` is the last and `maxTimestamp` the latest, belong into a new segment.
    public boolean isFullFor(int bytes, long lastOffset, long maxTimestamp, SegmentLimits limits, long jitterMs,
            long now) throws IOException {
        if (size == 0) {
            return !fits(baseOffset, lastOffset);
        }
        return size > limits.segmentBytes() - bytes || indexes.isFull() || !fits(baseOffset, lastOffset) || age(
                maxTimestamp, now) > limits.segmentMs() - jitterMs;
    }

    /// Whether the indexes of a segment can tell of that offset.
    static boolean fits(long baseOffset, long lastOffset) {
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
        return indexes.sizeBytes();
    }

    /// Notes a transaction whose abort marker is in here.
    public void aborted(AbortedTransaction transaction) throws IOException {
        indexes.transactions().append(transaction);
    }

    /// Transactions whose abort marker is in here, in order.
    public List<AbortedTransaction> abortedTransactions() throws IOException {
        return indexes.transactions().list();
    }

    /// Adds to `found` what a reader of committed records has to know of this segment; see
    /// [io.millrace.log.transaction.TransactionIndex#collect].
    public boolean collectAborted(long from, long bound, List<AbortedTransaction> found) throws IOException {
        return indexes.transactions().collect(from, bound, found);
    }

    /// Forgets them, for those who note them anew.
    public void clearAborted() throws IOException {
        indexes.transactions().clear();
    }

    /// An offset after the last record before `position`; empty where the index is not that far.
    public OptionalLong offsetAfter(int position) {
        return indexes.offsetAfter(position);
    }

    /// A batch in the file.
    ///
    /// @param batch its header alone
    public record Found(int position, Batch batch) {}

    /// The first batch whose last offset is not below `offset`; null where there is none before `end`.
    ///
    /// @param end bytes that may be looked at: a size that was read before
    public @Nullable Found find(long offset, int end) throws IOException {
        return batches.find(offset, end);
    }

    /// Goes over all batches that end at or after `offset`, headers only, in order, until `visitor` says that it has enough.
    ///
    /// @param end bytes that may be looked at
    public void visit(long offset, int end, BatchVisitor visitor) throws IOException {
        batches.visit(offset, end, visitor);
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
        return batches.nextOffset(size);
    }

    /// Fills `target` from `position` on, as far as the file reaches.
    public void read(ByteBuffer target, int position) throws IOException {
        file.read(target, position);
    }

    /// A batch, whole, in a buffer of its own.
    public Batch load(int position, int bytes) throws IOException {
        return batches.load(position, bytes);
    }

    /// Where to begin looking for a record that is not before `timestamp`.
    public long offsetBefore(long timestamp) {
        return indexes.offsetBefore(timestamp);
    }

    /// The latest time of a record; -1 where there is none.
    public long maxTimestamp() {
        return indexes.maxTimestamp();
    }

    /// The latest time, or where no record has one the time of the last change of the file.
    public long largestTimestamp() throws IOException {
        long timestamp = maxTimestamp();
        return timestamp >= 0 ? timestamp : disk.lastModified(path(SegmentFiles.LOG));
    }

    /// A slice of the file, which is held until the slice is closed; null where the segment is closed already.
    public @Nullable LogSlice slice(int position, int bytes) throws IOException {
        return hold() ? new LogSlice(file.channel(), position, bytes, this::release) : null;
    }

    /// Keeps the files open until [#release]; false where the segment is closed already.
    public boolean hold() throws IOException {
        if (!holds.take()) {
            return false;
        }
        try {
            file.hold();
            return true;
        } catch (NoSuchFileException _) {
            // Its log was closed and went just now.
            letGo();
            return false;
        } catch (IOException | RuntimeException failure) {
            letGo();
            throw failure;
        }
    }

    /// Whether anybody keeps the files open.
    public boolean isHeld() {
        return holds.taken();
    }

    /// Undoes one [#hold].
    public void release() {
        file.release();
        letGo();
    }

    /// The log needs it no longer: the files are closed once nobody holds them. To be called once.
    public void close() {
        letGo();
    }

    private void letGo() {
        if (holds.giveBack()) {
            indexes.unmap();
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
        indexes.truncateTo(offset);
        if (found != null) {
            file.truncate(found.position);
            size = found.position;
        }
        if (size == 0) {
            firstBatchTime = UNKNOWN_TIME;
        }
        visit(indexes.forgetTimes(), size, (batch, _) -> {
            indexes.seen(batch);
            return true;
        });
    }

    /// Checks every batch, rebuilds both indexes, and cuts the file at the first batch that is not whole.
    ///
    /// @param trusted batches below this offset are on disk for sure: their CRC is not computed
    /// @param visitor told of every good batch
    /// @return bytes that were cut off
    public long recover(long trusted, BatchVisitor visitor) throws IOException {
        indexes.empty();
        firstBatchTime = UNKNOWN_TIME;
        long fileSize = file.size();
        int end = new SegmentRecovery(file, baseOffset, trusted).run((batch, position) -> {
            index(batch, position);
            return visitor.visit(batch, position);
        });
        file.truncate(end);
        size = end;
        return fileSize - end;
    }

    /// Whether the side files look as if they belonged to this segment.
    public boolean hasSaneIndexes() throws IOException {
        return indexes.areSane(size);
    }

    /// The segment will not be the last one any more: its last time is noted, its files are cut to what is in them.
    public void seal() throws IOException {
        indexes.seal();
        file.truncate(size);
    }

    /// Makes all of it durable.
    public void sync() throws IOException {
        file.sync();
        indexes.sync();
    }

    /// Makes the batches durable, and nothing that can be made anew from them.
    public void syncBatches() throws IOException {
        file.syncData();
    }

    /// Gives every file another suffix, the log itself last. Readers go on.
    ///
    /// @param to `.deleted`, `.swap`, or nothing for one that is now of the log
    public void rename(String to) throws IOException {
        indexes.rename(kind -> SegmentFiles.path(directory, baseOffset, kind + to));
        file.rename(disk, path(SegmentFiles.LOG), SegmentFiles.path(directory, baseOffset, SegmentFiles.LOG + to));
        suffix = to;
    }

    /// The files, under whatever name they have now, in the order in which they are to go; not all of them need be there.
    public List<Path> files() {
        return SegmentFiles.ALL.stream().map(this::path).toList();
    }

    @Override
    public String toString() {
        return "segment(baseOffset=%d, size=%d)".formatted(baseOffset, size);
    }
}
