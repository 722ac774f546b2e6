package io.millrace.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

import io.millrace.log.batch.AppendOrigin;
import io.millrace.log.batch.Batch;
import io.millrace.log.batch.LogRefused;
import io.millrace.log.epoch.EpochHistory;
import io.millrace.log.producer.Producers;
import io.millrace.log.producer.SnapshotFiles;
import io.millrace.log.producer.TransactionTerms;
import io.millrace.log.segment.Segment;
import io.millrace.log.segment.SegmentLimits;
import io.millrace.log.segment.Segments;
import org.apache.kafka.common.protocol.Errors;

/// What changes one log. Every method is called under the log's lock.
final class LogWriter {
    private final LogContext context;
    private final Segments segments;
    private final LogOffsets offsets;
    private final Producers producers;
    private final SnapshotFiles snapshots;
    private long jitterMs;
    private volatile EpochHistory epochs;
    private boolean epochsDirty;
    private boolean settled;

    /// @param settled whether all of it is on disk as an orderly stop leaves it
    LogWriter(LogContext context, Segments segments, LogOffsets offsets, Producers producers, EpochHistory epochs,
            boolean epochsDirty, boolean settled) {
        this.context = context;
        this.settled = settled;
        this.segments = segments;
        this.offsets = offsets;
        this.producers = producers;
        this.snapshots = new SnapshotFiles(context.runtime().disk(), context.directory());
        this.epochs = epochs;
        this.epochsDirty = epochsDirty;
        this.jitterMs = context.jitterMs();
        publishUnstable();
    }

    /// May be read without the lock.
    EpochHistory epochs() {
        return epochs;
    }

    Producers producers() {
        return producers;
    }

    /// @param bytes checked batches, from position to limit
    /// @param batches the same, one by one; at least one
    AppendResult append(ByteBuffer bytes, List<Batch> batches, int leaderEpoch, AppendOrigin origin,
            TransactionTerms terms) throws IOException {
        var limits = context.config().segment();
        if (bytes.remaining() > limits.segmentBytes()) {
            throw new LogRefused(Errors.RECORD_LIST_TOO_LARGE, "%d bytes are more than segment.bytes %d".formatted(bytes
                    .remaining(), limits.segmentBytes()));
        }
        for (var batch : batches) {
            var duplicate = producers.check(batch, origin, terms);
            if (duplicate != null) {
                return new AppendResult(duplicate.firstOffset(), duplicate.lastOffset(), context.config().batch()
                        .logAppendTime() ? duplicate.timestamp() : Batch.NO_TIMESTAMP, offsets.start(), true);
            }
        }
        long base = offsets.end();
        long next = base;
        for (var batch : batches) {
            batch.assign(next, leaderEpoch);
            next = batch.lastOffset() + 1;
        }
        write(bytes, batches, limits);
        long appendTime = context.config().batch().logAppendTime()
                ? batches.getLast().maxTimestamp()
                : Batch.NO_TIMESTAMP;
        return new AppendResult(base, next - 1, appendTime, offsets.start(), false);
    }

    /// @param batches whole, with offsets that go up from the log end offset or a later one; at least one
    AppendResult appendAssigned(ByteBuffer bytes, List<Batch> batches) throws IOException {
        long expected = offsets.end();
        for (var batch : batches) {
            if (batch.baseOffset() < expected || batch.lastOffsetDelta() < 0) {
                throw new LogRefused(Errors.OFFSET_OUT_OF_RANGE, "batch of offsets %d to %d where %d is next".formatted(
                        batch.baseOffset(), batch.lastOffset(), expected));
            }
            expected = batch.lastOffset() + 1;
        }
        long base = batches.getFirst().baseOffset();
        var limits = context.config().segment();
        if (expected - 1 - base <= Integer.MAX_VALUE) {
            write(bytes, batches, limits);
        } else {
            // No segment holds offsets that far apart (a follower may get such after compaction).
            for (var batch : batches) {
                write(batch.bytes(), List.of(batch), limits);
            }
        }
        return new AppendResult(base, expected - 1, Batch.NO_TIMESTAMP, offsets.start(), false);
    }

    private void write(ByteBuffer bytes, List<Batch> batches, SegmentLimits limits) throws IOException {
        settled = false;
        long maxTimestamp = Batch.NO_TIMESTAMP;
        for (var batch : batches) {
            maxTimestamp = Math.max(maxTimestamp, batch.maxTimestamp());
        }
        var first = batches.getFirst();
        var last = batches.getLast();
        if (segments.active().isFullFor(bytes.remaining(), last.lastOffset(), maxTimestamp, limits, jitterMs, context
                .now())) {
            // Segments follow each other without a gap, even where offsets do not, but where they are too far apart.
            boolean near = last.lastOffset() - offsets.end() <= Integer.MAX_VALUE;
            roll(near ? offsets.end() : first.baseOffset());
        }
        segments.active().append(bytes, batches);
        boolean transactional = false;
        for (var batch : batches) {
            changeEpochs(epochs.plus(batch.leaderEpoch(), batch.baseOffset()));
            var aborted = producers.appended(batch);
            if (aborted != null) {
                segments.active().aborted(aborted);
            }
            transactional |= batch.isTransactional();
        }
        if (transactional) {
            publishUnstable();
        }
        offsets.appended(segments.active(), last.lastOffset() + 1);
    }

    private void publishUnstable() {
        producers.replicated(offsets.highWatermark());
        offsets.unstableFrom(producers.firstUnstableOffset().orElse(Long.MAX_VALUE));
    }

    /// Opens a new active segment, which begins at `baseOffset`. An empty active one is replaced.
    void roll(long baseOffset) throws IOException {
        var active = segments.active();
        if (active.sizeBytes() == 0 && active.baseOffset() == baseOffset) {
            return;
        }
        settled = false;
        if (active.sizeBytes() == 0) {
            replaceAll(dropLast(), List.of(active), baseOffset);
            return;
        }
        active.seal();
        snapshots.write(producers, baseOffset);
        segments.add(context.newSegment(baseOffset));
        jitterMs = context.jitterMs();
        context.runtime().metrics().rolled();
    }

    private List<Segment> dropLast() {
        var kept = new ArrayList<>(segments.list());
        kept.removeLast();
        return kept;
    }

    private void replaceAll(List<Segment> kept, List<Segment> dropped, long newBase) throws IOException {
        context.trash().add(dropped, context.config().segment().fileDeleteDelayMs());
        var next = new ArrayList<>(kept);
        next.add(context.newSegment(newBase));
        segments.replace(next);
    }

    /// Cuts off every batch that reaches `offset` or beyond; below the first segment, everything.
    void truncateTo(long offset) throws IOException {
        settled = false;
        if (offset >= offsets.end()) {
            // An epoch that began at the end wrote nothing, and who says to cut here does not know it.
            changeEpochs(epochs.truncatedTo(offsets.end()));
            return;
        }
        if (offset < segments.first().baseOffset()) {
            restartAt(offset);
            return;
        }
        var kept = segments.list().stream().filter(each -> each.baseOffset() <= offset).toList();
        var dropped = segments.list().subList(kept.size(), segments.count());
        // The last one first: a crash leaves no gap behind.
        context.trash().add(dropped.reversed(), context.config().segment().fileDeleteDelayMs());
        segments.replace(kept);
        segments.active().truncateTo(offset);
        // Where a batch was cut in its middle, the log ends before it: what is to be fetched again is all of it.
        long end = segments.active().nextOffset();
        offsets.truncated(segments.active(), end);
        changeEpochs(epochs.truncatedTo(end));
        long from = snapshots.restore(producers, end, segments.first().baseOffset());
        for (var segment : kept) {
            segment.replay(from, producers::appended);
        }
        publishUnstable();
    }

    /// Throws everything away; the log goes on at `offset`.
    void restartAt(long offset) throws IOException {
        settled = false;
        replaceAll(List.of(), segments.list().reversed(), offset);
        offsets.truncated(segments.active(), offset);
        offsets.raiseStart(offset);
        changeEpochs(EpochHistory.EMPTY);
        producers.clear();
        snapshots.deleteAll();
        publishUnstable();
    }

    /// Takes the `count` oldest segments out of the log; a new active one is opened where all are to go.
    void removeOldest(int count) throws IOException {
        settled = false;
        if (count == segments.count()) {
            roll(offsets.end());
        }
        var dropped = segments.list().subList(0, count);
        segments.replace(segments.list().subList(count, segments.count()));
        context.trash().add(dropped, context.config().segment().fileDeleteDelayMs());
        raiseStart(segments.first().baseOffset());
        snapshots.deleteBefore(segments.first().baseOffset());
    }

    /// Forgets the snapshots at the base offsets of segments that are no more.
    void dropSnapshots(List<Segment> gone) throws IOException {
        settled = false;
        for (var segment : gone) {
            snapshots.delete(segment.baseOffset());
        }
    }

    /// Takes over the producers and epochs of a log that ends where this one does.
    void inherit(LogWriter older) {
        settled = false;
        producers.restore(older.producers.snapshot());
        changeEpochs(older.epochs);
        publishUnstable();
    }

    void beginEpoch(int leaderEpoch) {
        changeEpochs(epochs.plus(leaderEpoch, offsets.end()));
    }

    void raiseStart(long offset) {
        if (offsets.raiseStart(offset)) {
            changeEpochs(epochs.startingAt(offset));
            publishUnstable();
        }
    }

    long raiseHighWatermark(long offset) {
        long raised = offsets.raiseHighWatermark(offset);
        // Whoever reads both in the meantime sees the older last stable offset.
        publishUnstable();
        return raised;
    }

    private void changeEpochs(EpochHistory changed) {
        if (!changed.equals(epochs)) {
            epochs = changed;
            epochsDirty = true;
        }
    }

    /// Whether the epochs changed since the last call.
    boolean takeEpochsDirty() {
        boolean dirty = epochsDirty;
        epochsDirty = false;
        return dirty;
    }

    void markEpochsDirty() {
        epochsDirty = true;
    }

    /// Leaves what the next start needs in order to scan nothing.
    ///
    /// @return false where that is there already, durable: a broker that ends has thousands of logs that were not touched
    boolean seal() throws IOException {
        if (settled) {
            return false;
        }
        segments.active().seal();
        snapshots.write(producers, offsets.end());
        return true;
    }
}
