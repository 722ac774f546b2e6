package io.millrace.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;

import io.millrace.base.check.Check;
import io.millrace.log.batch.AppendOrigin;
import io.millrace.log.batch.Batch;
import io.millrace.log.batch.BatchCheck;
import io.millrace.log.batch.Batches;
import io.millrace.log.batch.LogRefused;
import io.millrace.log.batch.Recompression;
import io.millrace.log.epoch.EpochCheckpoint;
import io.millrace.log.epoch.EpochEndOffset;
import io.millrace.log.producer.ProducerSummary;
import io.millrace.log.recovery.LogLoader;
import io.millrace.log.retention.Retention;
import io.millrace.log.retention.SegmentFacts;
import io.millrace.log.segment.Segment;
import io.millrace.log.segment.Segments;
import lombok.extern.slf4j.Slf4j;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/// The log of one partition, in a directory of its own, in Kafka's format.
///
/// Any thread may call any method. What changes the log is serialized by its own lock, which is never held over an fsync
/// that a client waits for; reads take no lock. A failure of the disk is reported to the runtime's listener and thrown;
/// the log then refuses every change.
@Slf4j
public final class PartitionLog implements AutoCloseable {
    private static final String DELETE_SUFFIX = "-delete";

    private final LogRuntime runtime;
    private final LogContext context;
    private final Segments segments;
    private final LogOffsets offsets;
    private final LogReader reader;
    private final LogWriter writer;
    private final EpochCheckpoint epochCheckpoint;
    private final PartitionMetadata metadata;
    private final Work checkpoints;
    // Guards the writer, the segments' ends and the state below; appends of several connections meet here.
    private final ReentrantLock lock = new ReentrantLock();
    private final AtomicBoolean flushAsked = new AtomicBoolean();
    private volatile LogConfig config;
    private volatile Path directory;
    // Two facts, not one state: a log that was closed may have failed before, and is then not marked clean.
    private volatile boolean closed;
    private volatile boolean failed;
    private volatile long dirtySinceNanos;
    private @Nullable UUID topicId;

    /// A change of the log, under its lock.
    @FunctionalInterface
    private interface Change<R> {
        R run() throws IOException;
    }

    /// Work that may fail.
    @FunctionalInterface
    interface Work {
        void run() throws IOException;
    }

    private PartitionLog(Path directory, LogConfig config, LogRuntime runtime, LogCheckpoint checkpoint,
            boolean cleanShutdown, Work checkpoints) throws IOException {
        this.directory = directory;
        this.checkpoints = checkpoints;
        this.config = config;
        this.runtime = runtime;
        var disk = runtime.disk();
        disk.createDirectories(directory);
        var loaded = new LogLoader(disk, directory, config.segment(), runtime.clock().millis()).load(checkpoint
                .recoveryPoint(), checkpoint.logStartOffset(), cleanShutdown);
        runtime.metrics().recovered(loaded.scannedBytes());
        runtime.metrics().truncated(loaded.cutBytes());
        this.context = new LogContext(directory, runtime, new SegmentTrash(directory, runtime), this::config);
        this.segments = new Segments(loaded.segments());
        // After a clean stop everything is on disk; after another one, nothing that was scanned is known to be.
        this.offsets = new LogOffsets(segments.active(), loaded.logStartOffset(), loaded.logEndOffset(), checkpoint
                .highWatermark(),
                cleanShutdown ? loaded.logEndOffset() : checkpoint.recoveryPoint());
        this.reader = new LogReader(segments, offsets);
        this.writer = new LogWriter(context, segments, offsets, loaded.producers(), loaded.epochs(), loaded
                .epochsChanged());
        this.epochCheckpoint = new EpochCheckpoint(disk, directory.resolve(EpochCheckpoint.FILE_NAME));
        this.metadata = new PartitionMetadata(disk, directory.resolve(PartitionMetadata.FILE_NAME));
        this.topicId = metadata.read();
    }

    /// Opens the log in `directory`, which is created where it is missing, and repairs what a crash has left: after an
    /// unclean stop everything past the recovery point is checked, and the log is cut at the first batch that is not whole.
    ///
    /// @param cleanShutdown whether the directory was closed in order, so that nothing has to be scanned
    public static PartitionLog open(Path directory, LogConfig config, LogRuntime runtime, LogCheckpoint checkpoint,
            boolean cleanShutdown) throws IOException {
        return open(directory, config, runtime, checkpoint, cleanShutdown, () -> {});
    }

    /// The same.
    ///
    /// @param checkpoints makes the checkpoint files say what [#checkpoint] says now, durably
    static PartitionLog open(Path directory, LogConfig config, LogRuntime runtime, LogCheckpoint checkpoint,
            boolean cleanShutdown, Work checkpoints) throws IOException {
        return new PartitionLog(directory, config, runtime, checkpoint, cleanShutdown, checkpoints);
    }

    /// Appends what a client or coordinator sent to the leader of this partition.
    ///
    /// @param records whole v2 batches (exactly one of a client), from position to limit; offsets, leader epoch and, where
    ///        the topic wants it, LogAppendTime are set in place. Not kept
    /// @throws io.millrace.log.batch.LogRefused with Kafka's code; nothing was appended
    /// @throws IOException the disk failed, and whether the records will be there after a restart is not known
    public AppendResult append(ByteBuffer records, int leaderEpoch, AppendOrigin origin) throws IOException {
        var batches = Batches.in(records);
        var rules = config.batch();
        new BatchCheck(rules, origin).run(batches, runtime.clock().millis());
        var accepted = rules.codec() == null
                ? batches
                : Recompression.run(batches, rules.codec(), rules
                        .maxMessageBytes());
        if (accepted.isEmpty()) {
            return nothing();
        }
        var result = change(() -> writer.append(Batches.bytes(accepted), accepted, leaderEpoch, origin));
        flushIfMany();
        return result;
    }

    /// Appends what a follower got from its leader, with the offsets and epochs that are in it.
    ///
    /// @param records whole batches that begin at the log end offset or after it; a cut one at the end is left out
    /// @throws io.millrace.log.batch.LogRefused CORRUPT_MESSAGE or OFFSET_OUT_OF_RANGE
    public AppendResult appendAsFollower(ByteBuffer records) throws IOException {
        var batches = Batches.in(records);
        for (var batch : batches) {
            if (!batch.hasValidCrc()) {
                throw new LogRefused(Errors.CORRUPT_MESSAGE, "the batch at offset %d has another CRC than it says"
                        .formatted(batch.baseOffset()));
            }
        }
        if (batches.isEmpty()) {
            return nothing();
        }
        var result = change(() -> writer.appendAssigned(Batches.bytes(batches), batches));
        flushIfMany();
        return result;
    }

    /// Finds batches from the one that holds `offset`, or the next one after a gap.
    ///
    /// @param maxBytes upper bound of the slice, but see `atLeastOneBatch`
    /// @param atLeastOneBatch whether the first batch is given whole even where it is larger
    /// @param upperBoundOffset no batch that begins at or after it is given: high watermark, last stable or log end offset
    /// @throws io.millrace.log.batch.LogRefused OFFSET_OUT_OF_RANGE below the log start or above the log end offset
    public ReadResult read(long offset, int maxBytes, boolean atLeastOneBatch, long upperBoundOffset)
            throws IOException {
        if (closed) {
            throw closed();
        }
        return reader.read(offset, maxBytes, atLeastOneBatch, upperBoundOffset);
    }

    /// First offset that may be read.
    public long logStartOffset() {
        return offsets.start();
    }

    /// Offset of the next record.
    public long logEndOffset() {
        return offsets.end();
    }

    /// Offsets below were replicated; never goes back but by truncation.
    public long highWatermark() {
        return offsets.highWatermark();
    }

    /// Raises the high watermark, at most to the log end offset; a lower value changes nothing. Returns what it is now.
    public long updateHighWatermark(long offset) {
        if (offset <= offsets.highWatermark()) {
            return offsets.highWatermark();
        }
        lock.lock();
        try {
            return offsets.raiseHighWatermark(offset);
        } finally {
            lock.unlock();
        }
    }

    /// Offsets below belong to no open transaction, and are below the high watermark.
    public long lastStableOffset() {
        return offsets.lastStable();
    }

    /// The first record whose time is not before `timestamp`, from the log start offset on.
    public Optional<TimestampAndOffset> offsetForTimestamp(long timestamp) throws IOException {
        return reader.offsetForTimestamp(timestamp);
    }

    /// The (first) record with the largest time; empty in an empty log.
    public Optional<TimestampAndOffset> maxTimestamp() throws IOException {
        return reader.maxTimestamp();
    }

    /// The newest leader epoch that has written here.
    public OptionalInt latestEpoch() {
        return writer.epochs().latest();
    }

    /// The leader epoch that wrote `offset`; empty where it is not known.
    public OptionalInt epochOf(long offset) {
        return writer.epochs().epochOf(offset);
    }

    /// A leader begins its reign here: what it appends begins at the log end offset, and whoever asks where an older epoch
    /// ends is told so before it has appended anything.
    public void beginEpoch(int leaderEpoch) throws IOException {
        change(() -> {
            writer.beginEpoch(leaderEpoch);
            return offsets.end();
        });
    }

    /// Where `epoch` ends here (OffsetForLeaderEpoch).
    public EpochEndOffset endOffsetFor(int epoch) {
        return writer.epochs().endOffsetFor(epoch, offsets.end());
    }

    /// Makes `offset` the log start offset, where it is higher; segments that lie below it are deleted in time.
    ///
    /// @throws io.millrace.log.batch.LogRefused OFFSET_OUT_OF_RANGE above the high watermark
    public void deleteRecordsBefore(long offset) throws IOException {
        change(() -> {
            if (offset > offsets.highWatermark()) {
                throw new LogRefused(Errors.OFFSET_OUT_OF_RANGE, "offset %d is above the high watermark %d".formatted(
                        offset, offsets.highWatermark()));
            }
            writer.raiseStart(offset);
            return offsets.start();
        });
    }

    /// Cuts off every batch that reaches `offset` or beyond. Blocks: never call it on an event loop.
    public void truncateTo(long offset) throws IOException {
        announceTruncation(offset);
        change(() -> {
            writer.truncateTo(offset);
            return offsets.end();
        });
        log.info("truncated: directory={} logEndOffset={}", directory, offsets.end());
    }

    /// Throws everything away; the log goes on, empty, at `offset`. For a follower whose leader begins later. Blocks: never
    /// call it on an event loop.
    public void truncateFullyAndStartAt(long offset) throws IOException {
        announceTruncation(offset);
        change(() -> {
            writer.restartAt(offset);
            return offsets.end();
        });
        log.info("started anew: directory={} logEndOffset={}", directory, offset);
    }

    /// Closes the active segment and opens the next one, unless it is empty.
    public void roll() throws IOException {
        change(() -> {
            writer.roll(offsets.end());
            return offsets.end();
        });
    }

    /// Makes everything appended durable before it returns. Blocks: never call it on an event loop.
    public void flush() throws IOException {
        long started = runtime.ticker().nanos();
        long target = offsets.end();
        if (target > offsets.recoveryPoint()) {
            syncUpTo(target);
            runtime.metrics().flushed(runtime.ticker().since(started));
        }
    }

    /// Does [#flush] where records have waited longer than `flush.ms`. Blocks.
    public void flushIfDue() throws IOException {
        long dirtySince = dirtySinceNanos;
        if (offsets.end() > offsets.recoveryPoint() && runtime.ticker().since(dirtySince).toMillis() >= config.flush()
                .ms()) {
            flush();
        }
    }

    /// Deletes segments that are too old, too many, or below the log start offset; returns how many. Their files go after
    /// `file.delete.delay.ms`. To be called now and then; not on an event loop.
    public int deleteOldSegments() throws IOException {
        int count = change(this::removeOldSegments);
        if (count > 0) {
            runtime.metrics().deleted(count);
            log.info("deleted segments: directory={} count={} logStartOffset={}", directory, count, offsets.start());
        }
        return count;
    }

    /// Forgets producers that have been silent too long; returns how many.
    public int expireProducers() {
        lock.lock();
        try {
            return writer.producers().expire(runtime.clock().millis(), runtime.producerExpiry().toMillis());
        } finally {
            lock.unlock();
        }
    }

    /// Bytes in all segments.
    public long sizeBytes() {
        return segments.sizeBytes();
    }

    public int segmentCount() {
        return segments.count();
    }

    /// Everything below is durable.
    public long recoveryPoint() {
        return offsets.recoveryPoint();
    }

    /// What the checkpoint files should say of this log now.
    public LogCheckpoint checkpoint() {
        return new LogCheckpoint(offsets.recoveryPoint(), offsets.start(), offsets.highWatermark());
    }

    /// Producers that are remembered, by id.
    public List<ProducerSummary> activeProducers() {
        lock.lock();
        try {
            return writer.producers().summaries();
        } finally {
            lock.unlock();
        }
    }

    /// Of the `partition.metadata` file; null where there is none yet.
    public @Nullable UUID topicId() {
        lock.lock();
        try {
            return topicId;
        } finally {
            lock.unlock();
        }
    }

    /// Writes the `partition.metadata` file.
    ///
    /// @throws IllegalStateException where the log belongs to another topic id
    public void assignTopicId(UUID topicId) throws IOException {
        change(() -> {
            var known = this.topicId;
            if (known != null) {
                Check.state(known.equals(topicId), "%s is of topic id %s, not %s", directory, known, topicId);
            } else {
                metadata.write(topicId);
                this.topicId = topicId;
            }
            return topicId;
        });
    }

    public LogConfig config() {
        return config;
    }

    /// Takes effect from the next call on.
    public void updateConfig(LogConfig config) {
        this.config = config;
    }

    /// Where the files are; another path once the log was deleted.
    public Path directory() {
        return directory;
    }

    /// Whether its disk has failed, so that what it holds after a restart is not sure and it takes no changes.
    public boolean hasFailed() {
        return failed;
    }

    /// Takes the log out of use: its directory is renamed to `<topic>-<partition>.<id>-delete`, and removed after
    /// `file.delete.delay.ms`. Slices in flight keep their bytes.
    public void delete() throws IOException {
        lock.lock();
        try {
            if (!closed) {
                closed = true;
                releaseFiles();
            }
            var trash = directory.resolveSibling(directory.getFileName() + "." + UUID.randomUUID().toString().replace(
                    "-", "") + DELETE_SUFFIX);
            runtime.disk().rename(directory, trash);
            directory = trash;
            log.info("deleted: directory={}", trash);
            runtime.background().schedule(Duration.ofMillis(config.segment().fileDeleteDelayMs()), () -> remove(trash));
        } finally {
            lock.unlock();
        }
    }

    /// Trims the files, makes everything durable and leaves a producer snapshot, so that the next start scans nothing.
    /// Harmless when repeated. Blocks.
    @Override
    public void close() throws IOException {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            try {
                if (!failed) {
                    writer.seal();
                    sync(segments.from(offsets.recoveryPoint()), offsets.end(), writer.takeEpochsDirty(), offsets
                            .truncations());
                }
            } catch (IOException failure) {
                report(failure);
                throw failure;
            } finally {
                releaseFiles();
            }
        } finally {
            lock.unlock();
        }
    }

    /// A crash that comes after a truncation must find no recovery point above it: what is written there anew would go
    /// unchecked, and its leader epochs would be those of what was cut off. So the files say first what will be.
    private void announceTruncation(long offset) throws IOException {
        boolean lowered = change(() -> offset < offsets.end() && offsets.truncating(offset));
        if (lowered) {
            try {
                checkpoints.run();
            } catch (IOException failure) {
                throw report(failure);
            }
        }
    }

    private AppendResult nothing() {
        return new AppendResult(offsets.end(), offsets.end() - 1, Batch.NO_TIMESTAMP, offsets.start(), false);
    }

    private <R> R change(Change<R> change) throws IOException {
        lock.lock();
        try {
            if (closed) {
                throw closed();
            }
            if (failed) {
                throw new IOException("the disk under " + directory + " has failed before");
            }
            long end = offsets.end();
            if (end == offsets.recoveryPoint()) {
                dirtySinceNanos = runtime.ticker().nanos();
            }
            int before = segments.count();
            var result = change.run();
            if (segments.count() > before) {
                inBackground(this::flush);
            }
            return result;
        } catch (IOException failure) {
            throw report(failure);
        } finally {
            lock.unlock();
        }
    }

    private IOException closed() {
        return new ClosedLogException(directory);
    }

    private IOException report(IOException failure) {
        if (failure instanceof ClosedLogException || failed) {
            return failure;
        }
        failed = true;
        runtime.metrics().failed();
        log.error("the disk fails, the log takes no more changes: directory={}", directory, failure);
        runtime.failures().failed(directory, failure);
        return failure;
    }

    private int removeOldSegments() throws IOException {
        var list = segments.list();
        var facts = new ArrayList<SegmentFacts>(list.size());
        for (int i = 0; i < list.size(); i++) {
            long next = i + 1 < list.size() ? list.get(i + 1).baseOffset() : offsets.end();
            facts.add(new SegmentFacts(next, list.get(i).sizeBytes(), list.get(i).largestTimestamp()));
        }
        int count = Retention.deletable(facts, config.retention(), runtime.clock().millis(), offsets.start(), offsets
                .highWatermark());
        if (count > 0) {
            writer.removeOldest(count);
        }
        return count;
    }

    private void flushIfMany() {
        if (offsets.end() - offsets.recoveryPoint() >= config.flush().messages() && flushAsked.compareAndSet(false,
                true)) {
            inBackground(() -> {
                flushAsked.set(false);
                flush();
            });
        }
    }

    private void syncUpTo(long target) throws IOException {
        List<Segment> held;
        boolean epochsDirty;
        int truncations;
        lock.lock();
        try {
            if (closed || failed) {
                return;
            }
            held = segments.from(offsets.recoveryPoint()).stream().filter(Segment::hold).toList();
            epochsDirty = writer.takeEpochsDirty();
            truncations = offsets.truncations();
        } finally {
            lock.unlock();
        }
        try {
            sync(held, target, epochsDirty, truncations);
        } catch (IOException failure) {
            lock.lock();
            try {
                writer.markEpochsDirty();
                throw report(failure);
            } finally {
                lock.unlock();
            }
        } finally {
            held.forEach(Segment::release);
        }
    }

    private void sync(List<Segment> list, long target, boolean epochsDirty, int truncations) throws IOException {
        for (var segment : list) {
            segment.sync();
        }
        if (epochsDirty) {
            writeEpochs();
        }
        runtime.disk().syncDirectory(context.directory());
        lock.lock();
        try {
            offsets.synced(target, truncations);
            dirtySinceNanos = runtime.ticker().nanos();
        } finally {
            lock.unlock();
        }
    }

    /// Two syncs may run at once: the later one writes what the earlier one knew, and more.
    private void writeEpochs() throws IOException {
        synchronized (epochCheckpoint) {
            epochCheckpoint.write(writer.epochs());
        }
    }

    private void inBackground(Work task) {
        try {
            runtime.background().execute(() -> {
                try {
                    task.run();
                } catch (IOException failure) {
                    log.debug("a background task ended with a failure that was reported: directory={}", directory,
                            failure);
                }
            });
        } catch (RejectedExecutionException _) {
            log.debug("no more background work while stopping: directory={}", directory);
        }
    }

    private void remove(Path trash) {
        try {
            runtime.disk().delete(trash);
        } catch (IOException failure) {
            runtime.metrics().failed();
            log.error("cannot remove a deleted log: directory={}", trash, failure);
            runtime.failures().failed(trash, failure);
        }
    }

    private void releaseFiles() {
        context.trash().close();
        segments.list().forEach(Segment::release);
    }
}
