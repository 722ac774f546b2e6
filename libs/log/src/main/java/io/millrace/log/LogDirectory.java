package io.millrace.log;

import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;

import io.millrace.base.check.Check;
import io.millrace.log.LogNames.Passing;
import io.millrace.log.disk.ForeignDirectoryException;
import io.millrace.log.recovery.RecoveryProgress;
import lombok.extern.slf4j.Slf4j;
import org.jspecify.annotations.Nullable;

/// One of `log.dirs`: its lock, its identity, its checkpoints, and the logs in it. Any thread may call.
@Slf4j
public final class LogDirectory implements AutoCloseable, DirectoryFiles {
    private static final String CLEAN_SHUTDOWN = ".kafka_cleanshutdown";

    private final Path path;
    private final LogRuntime runtime;
    private final Closeable lock;
    private final boolean cleanShutdown;
    private final OffsetCheckpointFile recoveryPoints;
    private final OffsetCheckpointFile logStarts;
    private final OffsetCheckpointFile highWatermarks;
    /// What the files said of logs that are not open yet.
    private final Map<PartitionId, LogCheckpoint> stored = new ConcurrentHashMap<>();
    private final CleanerCheckpoints cleaned;
    private final Map<PartitionId, PartitionLog> logs = new ConcurrentHashMap<>();
    /// Its monitor is held while the files are written; many truncations at once share a few writes.
    private final AtomicLong checkpointsAsked = new AtomicLong();
    private long checkpointsWritten;
    private volatile boolean closedWell = true;

    /// Whose the directory is; written on first use to `meta.properties`.
    public record Identity(String clusterId, int brokerId) {}

    /// A log found on disk.
    ///
    /// @param topicId null where the log has no `partition.metadata`
    public record FoundLog(PartitionId id, @Nullable UUID topicId) {}

    private LogDirectory(Path path, LogRuntime runtime, Closeable lock) throws IOException {
        this.path = path;
        this.runtime = runtime;
        this.lock = lock;
        var disk = runtime.disk();
        recoveryPoints = new OffsetCheckpointFile(disk, path.resolve(OffsetCheckpointFile.RECOVERY_POINT));
        logStarts = new OffsetCheckpointFile(disk, path.resolve(OffsetCheckpointFile.LOG_START));
        highWatermarks = new OffsetCheckpointFile(disk, path.resolve(OffsetCheckpointFile.HIGH_WATERMARK));
        cleaned = new CleanerCheckpoints(disk, path);
        cleanShutdown = disk.exists(path.resolve(CLEAN_SHUTDOWN));
        // From now on a stop is unclean, unless it is told otherwise.
        disk.delete(path.resolve(CLEAN_SHUTDOWN));
        disk.syncDirectory(path);
        readCheckpoints();
        removeUnborn();
    }

    /// Creates the directory where it is missing, locks it, and checks whose it is. What a stop has cut short there is for
    /// [InterruptedMoves#settle] to finish, before any log is opened.
    ///
    /// @throws ForeignDirectoryException where another process has it, or it belongs to another broker or cluster: the
    ///         message says which
    /// @throws IOException where it cannot be read or written
    public static LogDirectory open(Path path, Identity identity, LogRuntime runtime) throws IOException {
        runtime.disk().createDirectories(path);
        var lock = runtime.disk().lock(path);
        try {
            new MetaProperties(runtime.disk(), path.resolve(MetaProperties.FILE_NAME)).claim(identity);
            return new LogDirectory(path, runtime, lock);
        } catch (IOException | RuntimeException failure) {
            lock.close();
            throw failure;
        }
    }

    private void readCheckpoints() throws IOException {
        var recovery = recoveryPoints.read();
        var starts = logStarts.read();
        var watermarks = highWatermarks.read();
        var ids = new ArrayList<>(recovery.keySet());
        ids.addAll(starts.keySet());
        ids.addAll(watermarks.keySet());
        for (var id : ids) {
            stored.put(id, new LogCheckpoint(recovery.getOrDefault(id, 0L), starts.getOrDefault(id, 0L), watermarks
                    .getOrDefault(id, 0L)));
        }
    }

    private void removeUnborn() throws IOException {
        for (var id : namesOfLogs()) {
            if (stored.getOrDefault(id, LogCheckpoint.NONE).recoveryPoint() == 0 && metadataOf(id).isBroken()) {
                // Its topic id was to reach the disk before anything else of it did for sure, and the topic of that name may
                // be another one by now.
                log.warn("removing a log that was just made when the power went: directory={}", directoryOf(id));
                runtime.disk().delete(directoryOf(id));
            }
        }
    }

    private List<PartitionId> namesOfLogs() throws IOException {
        var ids = new ArrayList<PartitionId>();
        for (var name : runtime.disk().list(path)) {
            if (runtime.disk().isDirectory(path.resolve(name))) {
                LogNames.log(name).ifPresent(ids::add);
            }
        }
        return ids;
    }

    /// What is to be deleted here, and the copies of logs that are to lie here.
    List<Passing> passing() throws IOException {
        return runtime.disk().list(path).stream().flatMap(name -> LogNames.passing(name).stream()).toList();
    }

    /// Finishes in time the deletions that a stop has cut short.
    void removeDeleted() throws IOException {
        // Later, as it would have been: large files take their time, and a start is waited for.
        var deleted = passing().stream().filter(each -> !each.copy()).toList();
        if (!deleted.isEmpty()) {
            runtime.background().schedule(Duration.ofMillis(LogConfig.DEFAULTS.segment().fileDeleteDelayMs()),
                    () -> deleted.forEach(this::finishDeletion));
        }
    }

    private void finishDeletion(Passing deleted) {
        var trash = path.resolve(deleted.name());
        log.info("removing a log whose deletion was cut short: directory={}", trash);
        remove(trash);
    }

    private void remove(Path trash) {
        runtime.remover().remove(trash, () -> false, failure -> {
            runtime.metrics().failed();
            log.error("cannot remove a deleted log: directory={}", trash, failure);
            runtime.failures().failed(trash, failure);
        });
    }

    /// Throws a copy away: it bears the name of something to delete when this returns, and goes in the background.
    void discard(Passing copy) throws IOException {
        var aside = path.resolve(new Passing(copy.id(), LogNames.newUniqueId(), false).name());
        if (runtime.disk().exists(path.resolve(copy.name()))) {
            runtime.disk().rename(path.resolve(copy.name()), aside);
            remove(aside);
        }
    }

    /// Gives a copy that is complete the name of the log.
    void install(Passing copy) throws IOException {
        runtime.disk().rename(path.resolve(copy.name()), directoryOf(copy.id()));
        runtime.disk().syncDirectory(path);
    }

    /// Whether there is anything by the name of that log.
    boolean holds(PartitionId id) {
        return runtime.disk().exists(directoryOf(id));
    }

    /// A log that comes from another directory will be as `checkpoint` says. Durable when it returns.
    void expect(PartitionId id, LogCheckpoint checkpoint) throws IOException {
        stored.put(id, checkpoint);
        writeCheckpoints();
    }

    /// It has come.
    void took(PartitionId id, PartitionLog moved) {
        logs.put(id, moved);
        stored.remove(id);
    }

    /// It has gone to another directory.
    void gave(PartitionId id) throws IOException {
        logs.remove(id);
        cleaned.forget(id);
    }

    LogRuntime runtime() {
        return runtime;
    }

    public Path path() {
        return path;
    }

    /// Whether it was closed in order the last time, so that its logs are opened without a scan.
    public boolean wasCleanShutdown() {
        return cleanShutdown;
    }

    /// Logs on disk that are not open yet.
    public List<FoundLog> find() throws IOException {
        var found = new ArrayList<FoundLog>();
        for (var id : namesOfLogs()) {
            if (!logs.containsKey(id)) {
                found.add(new FoundLog(id, topicIdOf(id)));
            }
        }
        return found;
    }

    private @Nullable UUID topicIdOf(PartitionId id) throws IOException {
        return metadataOf(id).read();
    }

    private PartitionMetadata metadataOf(PartitionId id) {
        return new PartitionMetadata(runtime.disk(), directoryOf(id).resolve(PartitionMetadata.FILE_NAME));
    }

    Path directoryOf(PartitionId id) {
        return path.resolve(id.directoryName());
    }

    /// Opens a log, and creates it where it is missing. Logs may be opened on several threads at once. What lies on disk under
    /// that name and another topic id is set aside for deletion first.
    ///
    /// @throws IllegalStateException where it is open already
    public PartitionLog openLog(PartitionId id, UUID topicId, LogConfig config) throws IOException {
        return openLog(id, topicId, config, RecoveryProgress.NONE);
    }

    /// The same.
    ///
    /// @param progress told how far its recovery is
    public PartitionLog openLog(PartitionId id, UUID topicId, LogConfig config, RecoveryProgress progress)
            throws IOException {
        Check.state(!logs.containsKey(id), "%s is open already", id);
        var there = topicIdOf(id);
        if (there != null && !there.equals(topicId)) {
            log.warn("a log of an older topic of that name is deleted: log={} topicId={} olderTopicId={}", id, topicId,
                    there);
            deleteLog(id);
        }
        boolean exists = runtime.disk().exists(directoryOf(id));
        if (!exists) {
            runtime.disk().createDirectories(directoryOf(id));
            metadataOf(id).begin(topicId);
        }
        // What the files say of a log that is not there is of one that was deleted or went elsewhere.
        var checkpoint = exists ? stored.getOrDefault(id, LogCheckpoint.NONE) : LogCheckpoint.NONE;
        var opened = PartitionLog.open(directoryOf(id), config, runtime, new LogStart(checkpoint, cleanShutdown
                && exists, cleaned.of(id), progress), this);
        try {
            opened.assignTopicId(topicId);
            Check.state(logs.putIfAbsent(id, opened) == null, "%s is open already", id);
        } catch (IOException | RuntimeException failure) {
            opened.close();
            throw failure;
        }
        stored.remove(id);
        return opened;
    }

    /// Open logs.
    public List<PartitionLog> logs() {
        return List.copyOf(logs.values());
    }

    /// Deletes an open log, or one found on disk; nothing where there is none.
    public void deleteLog(PartitionId id) throws IOException {
        stored.remove(id);
        var open = logs.remove(id);
        // A log of that name that comes later is not clean at all.
        cleaned.forget(id);
        if (open == null && runtime.disk().exists(directoryOf(id))) {
            // Opened only to be deleted in the one way there is. Nothing of it has to be checked.
            open = PartitionLog.open(directoryOf(id), LogConfig.DEFAULTS, runtime, LogCheckpoint.NONE, true);
        }
        if (open != null) {
            open.delete();
        }
    }

    /// Writes the three checkpoint files, or waits for someone who does: they then say at least what was so when this was
    /// called. Not to be called on an event loop.
    @Override
    public void writeCheckpoints() throws IOException {
        long mine = checkpointsAsked.incrementAndGet();
        synchronized (checkpointsAsked) {
            if (checkpointsWritten >= mine) {
                return;
            }
            long covered = checkpointsAsked.get();
            writeNow();
            checkpointsWritten = covered;
        }
    }

    @Override
    public void writeCleanerCheckpoints() throws IOException {
        cleaned.write(logs);
    }

    private void writeNow() throws IOException {
        var checkpoints = new HashMap<>(stored);
        logs.forEach((id, open) -> checkpoints.put(id, open.checkpoint()));
        recoveryPoints.write(offsets(checkpoints, Field.RECOVERY_POINT));
        logStarts.write(offsets(checkpoints, Field.LOG_START));
        highWatermarks.write(offsets(checkpoints, Field.HIGH_WATERMARK));
    }

    private enum Field {
        RECOVERY_POINT, LOG_START, HIGH_WATERMARK
    }

    private static Map<PartitionId, Long> offsets(Map<PartitionId, LogCheckpoint> checkpoints, Field field) {
        var offsets = new TreeMap<PartitionId, Long>(PartitionId.ORDER);
        checkpoints.forEach((id, checkpoint) -> {
            long offset = switch (field) {
                case RECOVERY_POINT -> checkpoint.recoveryPoint();
                case LOG_START -> checkpoint.logStartOffset();
                case HIGH_WATERMARK -> checkpoint.highWatermark();
            };
            // Kafka notes a log start only where it is not simply the first segment's; zero goes without saying.
            if (field != Field.LOG_START || offset > 0) {
                offsets.put(id, offset);
            }
        });
        return offsets;
    }

    /// Closes every log by tasks of `executor`, ahead of [#close].
    public void closeLogs(Executor executor) {
        logs.values().forEach(open -> executor.execute(() -> {
            try {
                open.close();
            } catch (IOException | RuntimeException failure) {
                closedWell = false;
                log.error("a log was not closed well: directory={}", open.directory(), failure);
            }
        }));
    }

    /// Closes every log, writes the checkpoints and, where all of that succeeded, the mark of a clean stop; unlocks.
    @Override
    public void close() throws IOException {
        try (lock) {
            IOException first = null;
            for (var open : logs.values()) {
                try {
                    open.close();
                } catch (IOException failure) {
                    first = first == null ? failure : first;
                }
            }
            writeCheckpoints();
            boolean allSynced = closedWell && logs.values().stream().noneMatch(PartitionLog::hasFailed);
            if (first != null) {
                throw first;
            }
            // What was not opened in this life is as the life before left it: after a crash it is still to be checked.
            boolean allChecked = cleanShutdown || find().isEmpty();
            if (allSynced && allChecked) {
                runtime.disk().replace(path.resolve(CLEAN_SHUTDOWN), "{\"version\":0,\"brokerEpoch\":-1}".getBytes(
                        StandardCharsets.UTF_8));
            }
        }
    }
}
