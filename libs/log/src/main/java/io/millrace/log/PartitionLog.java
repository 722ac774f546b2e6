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

import io.millrace.log.batch.AppendOrigin;
import io.millrace.log.batch.Batch;
import io.millrace.log.batch.BatchCheck;
import io.millrace.log.batch.Batches;
import io.millrace.log.batch.LogRefused;
import io.millrace.log.batch.Recompression;
import io.millrace.log.compaction.Compactable;
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
/// Any thread may call any method. What changes the log goes through its gate, whose lock is never held over an fsync that a
/// client waits for; reads take no lock. A failure of the disk is reported to the runtime's listener and thrown;
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
    private final LogGate gate;
    private final LogSync sync;
    private final GroupCommit commits;
    private final LogCompaction compaction;
    private final LogIdentity identity;
    private final DirectoryFiles files;
    private volatile LogConfig config;

    private PartitionLog(Path directory, LogConfig config, LogRuntime runtime, LogCheckpoint checkpoint,
            boolean cleanShutdown, DirectoryFiles files) throws IOException {
        this.files = files;
        this.config = config;
        this.runtime = runtime;
        var disk = runtime.disk();
        disk.createDirectories(directory);
        this.identity = new LogIdentity(disk, directory);
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
        this.gate = new LogGate(directory, runtime);
        this.sync = new LogSync(context, gate, segments, offsets, writer, identity);
        this.commits = new GroupCommit(context, gate, segments, offsets, identity);
        this.compaction = new LogCompaction(context, gate, segments, offsets, writer, files, this::roll);
    }

    /// Opens the log in `directory`, which is created where it is missing, and repairs what a crash has left: after an
    /// unclean stop everything past the recovery point is checked, and the log is cut at the first batch that is not whole.
    ///
    /// @param cleanShutdown whether the directory was closed in order, so that nothing has to be scanned
    public static PartitionLog open(Path directory, LogConfig config, LogRuntime runtime, LogCheckpoint checkpoint,
            boolean cleanShutdown) throws IOException {
        return open(directory, config, runtime, checkpoint, cleanShutdown, DirectoryFiles.NONE);
    }

    /// The same.
    ///
    /// @param files of the log directory that it lies in
    static PartitionLog open(Path directory, LogConfig config, LogRuntime runtime, LogCheckpoint checkpoint,
            boolean cleanShutdown, DirectoryFiles files) throws IOException {
        return new PartitionLog(directory, config, runtime, checkpoint, cleanShutdown, files);
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
        appended();
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
        appended();
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
        gate.checkNotClosed();
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

    /// Where what counts as written here ends: the log end offset, or with group commit the end of what is synced.
    public long durableEnd() {
        return runtime.groupCommit() ? offsets.committed() : offsets.end();
    }

    /// Whether acks have to wait for [#durableEnd].
    public boolean commitsInGroups() {
        return runtime.groupCommit();
    }

    /// With group commit, `committed` is run whenever [#durableEnd] may have moved; on a background thread, with no lock held.
    public void onCommit(Runnable committed) {
        commits.onCommit(committed);
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
        return gate.look(() -> offsets.raiseHighWatermark(offset));
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
        if (runtime.groupCommit()) {
            commits.appended();
        }
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
        cut(offset, () -> {
            writer.truncateTo(offset);
            return offsets.end();
        });
        log.info("truncated: directory={} logEndOffset={}", directory(), offsets.end());
    }

    /// Throws everything away; the log goes on, empty, at `offset`. For a follower whose leader begins later. Blocks: never
    /// call it on an event loop.
    public void truncateFullyAndStartAt(long offset) throws IOException {
        cut(offset, () -> {
            writer.restartAt(offset);
            return offsets.end();
        });
        log.info("started anew: directory={} logEndOffset={}", directory(), offset);
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
        sync.flush();
    }

    /// Does [#flush] where records have waited longer than `flush.ms`. Blocks.
    public void flushIfDue() throws IOException {
        sync.flushIfDue();
    }

    /// The log as the cleaner sees it.
    public Compactable compaction() {
        return compaction;
    }

    LogCompaction.Progress compactionProgress() {
        return compaction.progress();
    }

    void resumeCompaction(LogCompaction.Progress noted) {
        compaction.resume(noted);
    }

    /// Deletes segments that are too old, too many, or below the log start offset; returns how many. Their files go after
    /// `file.delete.delay.ms`. To be called now and then; not on an event loop.
    public int deleteOldSegments() throws IOException {
        int count = gate.restructure(() -> change(this::removeOldSegments));
        if (count > 0) {
            runtime.metrics().deleted(count);
            log.info("deleted segments: directory={} count={} logStartOffset={}", directory(), count, offsets.start());
        }
        return count;
    }

    /// Forgets producers that have been silent too long; returns how many.
    public int expireProducers() {
        return gate.look(() -> writer.producers().expire(runtime.clock().millis(), runtime.producerExpiry()
                .toMillis()));
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
        return gate.look(() -> writer.producers().summaries());
    }

    /// Of the `partition.metadata` file; null where there is none yet.
    public @Nullable UUID topicId() {
        return gate.look(identity::topicId);
    }

    /// Writes the `partition.metadata` file.
    ///
    /// @throws IllegalStateException where the log belongs to another topic id
    public void assignTopicId(UUID topicId) throws IOException {
        change(() -> {
            identity.assign(topicId);
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
        return gate.directory();
    }

    /// Whether its disk has failed, so that what it holds after a restart is not sure and it takes no changes.
    public boolean hasFailed() {
        return gate.hasFailed();
    }

    /// Takes the log out of use: its directory is renamed to `<topic>-<partition>.<id>-delete`, and removed after
    /// `file.delete.delay.ms`. Slices in flight keep their bytes.
    public void delete() throws IOException {
        gate.restructure(() -> {
            gate.locked(this::moveAway);
            return this;
        });
    }

    private void moveAway() throws IOException {
        if (gate.close()) {
            releaseFiles();
        }
        var from = directory();
        var trash = from.resolveSibling(from.getFileName() + "." + UUID.randomUUID().toString().replace("-", "")
                + DELETE_SUFFIX);
        runtime.disk().rename(from, trash);
        gate.moved(trash);
        log.info("deleted: directory={}", trash);
        runtime.background().schedule(Duration.ofMillis(config.segment().fileDeleteDelayMs()), () -> remove(trash));
    }

    /// Trims the files, makes everything durable and leaves a producer snapshot, so that the next start scans nothing.
    /// Harmless when repeated. Blocks.
    @Override
    public void close() throws IOException {
        gate.restructure(() -> {
            gate.locked(this::finish);
            return this;
        });
    }

    private void finish() throws IOException {
        if (!gate.close()) {
            return;
        }
        try {
            if (!gate.hasFailed()) {
                writer.seal();
                sync.all();
            }
        } catch (IOException failure) {
            throw gate.report(failure);
        } finally {
            releaseFiles();
        }
    }

    /// A crash that comes after a truncation must find no recovery point above it: what is written there anew would go
    /// unchecked, and its leader epochs would be those of what was cut off. So the files say first what will be.
    private void cut(long offset, LogGate.Change<Long> truncation) throws IOException {
        gate.restructure(() -> {
            boolean lowered = change(() -> offset < offsets.end() && offsets.truncating(offset));
            boolean dirtied = compaction.truncating(offset);
            try {
                if (lowered) {
                    files.writeCheckpoints();
                }
                if (dirtied) {
                    files.writeCleanerCheckpoints();
                }
            } catch (IOException failure) {
                throw gate.report(failure);
            }
            return change(truncation);
        });
    }

    private void appended() {
        if (runtime.groupCommit()) {
            commits.appended();
        } else {
            sync.flushIfMany();
        }
    }

    private AppendResult nothing() {
        return new AppendResult(offsets.end(), offsets.end() - 1, Batch.NO_TIMESTAMP, offsets.start(), false);
    }

    private <R> R change(LogGate.Change<R> change) throws IOException {
        return gate.change(() -> {
            sync.changing();
            int before = segments.count();
            var result = change.run();
            if (segments.count() > before) {
                gate.inBackground(this::flush);
            }
            return result;
        });
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
