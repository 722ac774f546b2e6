package io.millrace.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

import io.millrace.log.batch.AppendOrigin;
import io.millrace.log.batch.Batch;
import io.millrace.log.batch.BatchCheck;
import io.millrace.log.batch.Batches;
import io.millrace.log.batch.LogRefused;
import io.millrace.log.batch.Recompression;
import io.millrace.log.producer.TransactionTerms;
import io.millrace.log.recovery.LogLoader;
import io.millrace.log.segment.Segment;
import io.millrace.log.segment.Segments;
import lombok.extern.slf4j.Slf4j;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/// A log as it lies in one directory: its parts, put together, and what takes several of them. It never leaves that directory,
/// but to be deleted.
///
/// Any thread may call any method.
@Slf4j
final class OpenLog {
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
    private final LogRetention retention;
    private final LogIdentity identity;
    private final DirectoryFiles files;
    private volatile LogConfig config;

    /// Opens or makes it, and repairs what a crash has left.
    ///
    /// @param files of the log directory that it lies in
    OpenLog(Path directory, LogConfig config, LogRuntime runtime, LogStart start, DirectoryFiles files)
            throws IOException {
        this.files = files;
        this.config = config;
        this.runtime = runtime;
        var disk = runtime.disk();
        disk.createDirectories(directory);
        this.identity = new LogIdentity(disk, directory, start.cleanShutdown());
        var trash = new SegmentTrash(directory, runtime);
        var checkpoint = start.checkpoint();
        var loaded = new LogLoader(disk, directory, config.segment(), runtime.clock().millis(), start.progress(),
                trash::discard).load(
                        checkpoint.recoveryPoint(), checkpoint.logStartOffset(), start.clean().cleanedTo(), start
                                .cleanShutdown());
        runtime.metrics().recovered(loaded.scannedBytes());
        runtime.metrics().truncated(loaded.cutBytes());
        this.context = new LogContext(directory, runtime, trash, this::config);
        this.segments = new Segments(loaded.segments());
        // After a clean stop everything is on disk; after another one, nothing that was scanned is known to be.
        this.offsets = new LogOffsets(segments.active(), loaded.logStartOffset(), loaded.logEndOffset(), checkpoint
                .highWatermark(),
                start.cleanShutdown() ? loaded.logEndOffset() : checkpoint.recoveryPoint());
        this.reader = new LogReader(segments, offsets);
        this.writer = new LogWriter(context, segments, offsets, loaded.producers(), loaded.epochs(), loaded
                .epochsChanged(), start.cleanShutdown() && loaded.isAsFound());
        this.gate = new LogGate(directory, runtime);
        this.sync = new LogSync(context, gate, segments, offsets, writer, identity, loaded.epochsChanged()
                ? null
                : loaded.epochs());
        this.commits = new GroupCommit(context, gate, segments, offsets, identity);
        this.compaction = new LogCompaction(context, gate, segments, offsets, writer, files, new LogCompaction.Work(
                this::roll, sync::flush));
        compaction.resume(start.clean());
        this.retention = new LogRetention(context, segments, offsets, writer);
    }

    LogRuntime runtime() {
        return runtime;
    }

    Segments segments() {
        return segments;
    }

    LogOffsets offsets() {
        return offsets;
    }

    LogWriter writer() {
        return writer;
    }

    LogGate gate() {
        return gate;
    }

    LogSync sync() {
        return sync;
    }

    GroupCommit commits() {
        return commits;
    }

    LogCompaction compaction() {
        return compaction;
    }

    LogConfig config() {
        return config;
    }

    void config(LogConfig changed) {
        config = changed;
    }

    LogCheckpoint checkpoint() {
        return new LogCheckpoint(offsets.recoveryPoint(), offsets.start(), offsets.highWatermark());
    }

    boolean checksLong(Batch batch) {
        var rules = config.batch();
        var codec = rules.codec();
        return (codec != null && Recompression.isNeeded(batch, codec)) || BatchCheck.decompresses(batch, rules);
    }

    CheckedBatches check(ByteBuffer records, AppendOrigin origin) {
        var batches = Batches.in(records);
        var rules = config.batch();
        new BatchCheck(rules, origin).run(batches, runtime.clock().millis());
        var codec = rules.codec();
        return new CheckedBatches(codec == null ? batches : Recompression.run(batches, codec, rules.maxMessageBytes()),
                origin);
    }

    AppendResult append(CheckedBatches checked, int leaderEpoch, TransactionTerms terms) throws IOException {
        if (checked.batches().isEmpty()) {
            return nothing();
        }
        var result = change(() -> writer.append(checked.bytes(), checked.batches(), leaderEpoch, checked.origin(),
                terms));
        appended();
        return result;
    }

    AppendResult appendAsFollower(ByteBuffer records) throws IOException {
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

    ReadResult read(long offset, int maxBytes, boolean atLeastOneBatch, long upperBoundOffset) throws IOException {
        gate.checkNotClosed();
        var result = reader.read(offset, maxBytes, atLeastOneBatch, upperBoundOffset);
        if (result.slice() == null) {
            // Or its segments were given back while they were looked for.
            gate.checkNotClosed();
        }
        return result;
    }

    Optional<TimestampAndOffset> offsetForTimestamp(long timestamp) throws IOException {
        return unlessClosed(reader.offsetForTimestamp(timestamp));
    }

    Optional<TimestampAndOffset> maxTimestamp() throws IOException {
        return unlessClosed(reader.maxTimestamp());
    }

    private Optional<TimestampAndOffset> unlessClosed(Optional<TimestampAndOffset> found) throws IOException {
        if (found.isEmpty()) {
            gate.checkNotClosed();
        }
        return found;
    }

    ReadResult readCommitted(long offset, int maxBytes, boolean atLeastOneBatch) throws IOException {
        gate.checkNotClosed();
        return reader.readCommitted(offset, maxBytes, atLeastOneBatch, offsets.lastStable());
    }

    long durableEnd() {
        return runtime.groupCommit() ? offsets.committed() : offsets.end();
    }

    long beginEpoch(int leaderEpoch) throws IOException {
        long end = change(() -> {
            writer.beginEpoch(leaderEpoch);
            return offsets.end();
        });
        if (runtime.groupCommit()) {
            commits.appended();
        }
        return end;
    }

    long deleteRecordsBefore(long offset) throws IOException {
        return change(() -> {
            if (offset > offsets.highWatermark()) {
                throw new LogRefused(Errors.OFFSET_OUT_OF_RANGE, "offset %d is above the high watermark %d".formatted(
                        offset, offsets.highWatermark()));
            }
            writer.raiseStart(offset);
            return offsets.start();
        });
    }

    long truncateTo(long offset) throws IOException {
        return cut(offset, () -> {
            writer.truncateTo(offset);
            return offsets.end();
        });
    }

    long restartAt(long offset) throws IOException {
        return cut(offset, () -> {
            writer.restartAt(offset);
            return offsets.end();
        });
    }

    /// A crash that comes after a truncation must find no recovery point above it: what is written there anew would go
    /// unchecked, and its leader epochs would be those of what was cut off. So the files say first what will be.
    private long cut(long offset, LogGate.Change<Long> truncation) throws IOException {
        return gate.restructure(() -> {
            announceCut(offset, change(() -> offset < offsets.end() && offsets.truncating(offset)));
            long end = change(truncation);
            if (end < offset) {
                // A batch that reached over it went as a whole.
                announceCut(end, true);
            }
            return end;
        });
    }

    /// @param lowered whether the recovery point is another one now
    private void announceCut(long offset, boolean lowered) throws IOException {
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
    }

    long roll() throws IOException {
        return change(() -> {
            writer.roll(offsets.end());
            return offsets.end();
        });
    }

    int deleteOldSegments() throws IOException {
        return gate.restructure(() -> change(retention::run));
    }

    int expireProducers() {
        return gate.look(() -> writer.producers().expire(runtime.clock().millis(), runtime.producerExpiry().get()
                .toMillis()));
    }

    @Nullable
    UUID topicId() {
        return gate.look(identity::topicId);
    }

    UUID assignTopicId(UUID topicId) throws IOException {
        return change(() -> {
            identity.assign(topicId);
            return topicId;
        });
    }

    private <R> R change(LogGate.Change<R> change) throws IOException {
        return gate.change(() -> {
            sync.changing();
            int before = segments.count();
            var result = change.run();
            if (segments.count() > before) {
                gate.inBackground(sync::flush);
            }
            return result;
        });
    }

    /// Takes it out of use: its directory gets the name of something to delete, which happens after a while.
    Path delete() throws IOException {
        return gate.restructure(() -> {
            gate.locked(() -> {
                if (gate.close()) {
                    releaseFiles();
                }
                moveAway();
                return this;
            });
            return gate.directory();
        });
    }

    private void moveAway() throws IOException {
        var from = gate.directory();
        var trash = from.resolveSibling(from.getFileName() + "." + LogNames.newUniqueId() + LogNames.DELETED);
        gate.moved(trash);
        try {
            runtime.disk().rename(from, trash);
        } catch (IOException failure) {
            gate.moved(from);
            throw failure;
        }
        log.debug("deleted: directory={}", trash);
        removeLater(trash);
    }

    /// Gives its place to what `successor` opens, which has moved its files away then.
    OpenLog handOver(PartitionLog.Successor successor) throws IOException {
        return gate.restructure(() -> gate.locked(() -> {
            gate.checkUsable();
            var next = successor.of(this);
            gate.close();
            releaseFiles();
            removeLater(gate.directory());
            return next;
        }));
    }

    /// Takes over what `older`, which is as long, knows beyond its batches: producers and epochs whose batches are gone, and
    /// who waits for commits.
    void inherit(OpenLog older) throws IOException {
        gate.change(() -> {
            writer.inherit(older.writer);
            commits.inherit(older.commits);
            return this;
        });
    }

    /// Gives the files back as they are.
    void abandon() {
        gate.look(() -> {
            if (gate.close()) {
                releaseFiles();
            }
            return this;
        });
    }

    private void removeLater(Path trash) {
        runtime.background().schedule(Duration.ofMillis(config.segment().fileDeleteDelayMs()), () -> runtime
                .remover().remove(trash, () -> segments.list().stream().anyMatch(Segment::isHeld), failure -> {
                    runtime.metrics().failed();
                    log.error("cannot remove a deleted log: directory={}", trash, failure);
                    runtime.failures().failed(trash, failure);
                }));
    }

    /// Trims the files, makes everything durable and leaves a producer snapshot. Harmless when repeated.
    void close() throws IOException {
        gate.restructure(() -> gate.locked(() -> {
            finish();
            return this;
        }));
    }

    private void finish() throws IOException {
        if (!gate.close()) {
            return;
        }
        try {
            if (!gate.hasFailed()) {
                if (writer.seal()) {
                    sync.all();
                } else {
                    sync.epochs();
                }
            }
        } catch (IOException failure) {
            throw gate.report(failure);
        } finally {
            releaseFiles();
        }
    }

    private void releaseFiles() {
        context.trash().close();
        segments.list().forEach(Segment::close);
    }
}
