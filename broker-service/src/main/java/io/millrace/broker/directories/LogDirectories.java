package io.millrace.broker.directories;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;

import io.millrace.base.check.Check;
import io.millrace.log.InterruptedMoves;
import io.millrace.log.LogConfig;
import io.millrace.log.LogDirectory;
import io.millrace.log.LogDirectory.FoundLog;
import io.millrace.log.LogDirectory.Identity;
import io.millrace.log.LogMove;
import io.millrace.log.LogRuntime;
import io.millrace.log.PartitionId;
import io.millrace.log.PartitionLog;
import io.millrace.log.disk.ForeignDirectoryException;
import io.millrace.log.recovery.RecoveryProgress;
import io.millrace.service.lifecycle.StartRefused;
import lombok.extern.slf4j.Slf4j;
import org.jspecify.annotations.Nullable;

/// All log directories of this broker and the logs in them. Any thread may call, but for one log one at a time; every
/// method may block on a disk.
@Slf4j
public final class LogDirectories implements AutoCloseable {
    private static final int CLOSERS = 64;

    /// Beyond this many logs that are to be made somebody asks for nonsense.
    private static final int MOST_WANTED = 10_000;

    private final List<LogDirectory> directories;
    private final DirectoryFailures failures;
    private final Map<PartitionId, Placed> logs = new ConcurrentHashMap<>();
    /// On disk without a topic id, so that only the metadata can say whose they are.
    private final Map<PartitionId, LogDirectory> unidentified = new ConcurrentHashMap<>();
    private final Set<PartitionId> broken = ConcurrentHashMap.newKeySet();
    /// Where logs are to be made that are not here yet.
    private final Map<PartitionId, LogDirectory> wanted = new ConcurrentHashMap<>();

    /// Where logs are being made.
    private final Map<PartitionId, LogDirectory> chosen = new ConcurrentHashMap<>();
    private final LogMoves moves;
    private final Map<PartitionId, LogDirectory> interrupted;
    /// Of `log.dirs`, but could not be opened.
    private final List<Path> missing;

    private record Placed(LogDirectory directory, PartitionLog log, UUID topicId) {}

    private LogDirectories(List<LogDirectory> directories, List<Path> missing, LogRuntime runtime,
            DirectoryFailures failures, LongSupplier moveBytesPerSecond) throws IOException {
        this.directories = List.copyOf(directories);
        this.missing = List.copyOf(missing);
        this.failures = failures;
        interrupted = InterruptedMoves.settle(directories, missing.isEmpty());
        moves = new LogMoves(runtime.background(), runtime.ticker(), moveBytesPerSecond, this::usable, move -> logs
                .computeIfPresent(move.id(), (_, placed) -> new Placed(move.to(), placed.log(), placed.topicId())));
    }

    /// Locks all directories and checks whose they are. One that cannot be read or written counts as failed; the broker does
    /// without it.
    ///
    /// @param moveBytesPerSecond how fast logs may be moved between directories, as it is set at the moment
    /// @throws StartRefused where one is another's, or none can be had; none is locked then
    public static LogDirectories open(List<Path> paths, Identity identity, LogRuntime runtime,
            DirectoryFailures failures, LongSupplier moveBytesPerSecond) {
        Check.argument(!paths.isEmpty(), "no log directory");
        var opened = new ArrayList<LogDirectory>();
        var missing = new ArrayList<Path>();
        try {
            for (var path : paths) {
                try {
                    opened.add(LogDirectory.open(path, identity, runtime));
                } catch (ForeignDirectoryException foreign) {
                    throw foreign;
                } catch (IOException failure) {
                    missing.add(path);
                    failures.failedAtStart(path, failure);
                }
            }
            if (opened.isEmpty()) {
                throw new IOException("no log directory can be used");
            }
            return new LogDirectories(opened, missing, runtime, failures, moveBytesPerSecond);
        } catch (IOException refused) {
            opened.forEach(LogDirectories::closeQuietly);
            throw new StartRefused("kafka.log.dirs: " + refused.getMessage());
        }
    }

    /// Opens every log that is there, several at a time, and repairs those that a crash has left. A log that cannot be
    /// opened is left alone and said; its partition will be offline.
    ///
    /// @param config until the metadata say what was set for each topic
    public void recover(Recovery recovery, LogConfig config) throws IOException {
        var found = new LinkedHashMap<LogDirectory, List<FoundLog>>();
        for (var directory : directories) {
            found.put(directory, directory.find());
        }
        if (found.values().stream().allMatch(List::isEmpty)) {
            return;
        }
        recovery.run(found, (directory, one, progress) -> open(directory, one, config, progress));
        log.info("opened logs count={} broken={}", logs.size(), broken.size());
        for (var directory : directories) {
            if (!directory.wasCleanShutdown()) {
                // What was cut off must not be taken for known to be on disk at the next crash.
                directory.writeCheckpoints();
            }
        }
        for (var move : interrupted.entrySet()) {
            place(move.getKey(), move.getValue().path());
        }
    }

    private void open(LogDirectory directory, FoundLog found, LogConfig config, RecoveryProgress progress) {
        var topicId = found.topicId();
        if (topicId == null) {
            unidentified.put(found.id(), directory);
            return;
        }
        try {
            logs.put(found.id(), new Placed(directory, directory.openLog(found.id(), topicId, config, progress),
                    topicId));
        } catch (IOException | RuntimeException failure) {
            broken.add(found.id());
            log.error("a log cannot be opened partition={} directory={}", found.id(), directory.path(), failure);
        }
    }

    /// The log of a partition, open; made where there is none. What lies there under its name and another topic id is
    /// deleted first: it belonged to a topic that is no more.
    ///
    /// @param isNew whether this broker never had a replica of the partition
    /// @throws IOException where the log may lie in a directory that could not be opened
    public PartitionLog openLog(PartitionId id, UUID topicId, LogConfig config, boolean isNew) throws IOException {
        if (broken.contains(id)) {
            throw new IOException("the log of " + id + " could not be opened at the start");
        }
        var placed = logs.get(id);
        if (placed != null && placed.topicId().equals(topicId)) {
            placed.log().updateConfig(config);
            return placed.log();
        }
        if (placed != null) {
            log.warn("deleting the log of a former topic partition={} topicId={} now={}", id, placed.topicId(),
                    topicId);
            deleteLog(id);
        }
        var home = unidentified.remove(id);
        if (home == null && !isNew && !missing.isEmpty()) {
            throw new IOException("the log of %s may lie in one of %s".formatted(id, missing));
        }
        var asked = wanted.remove(id);
        var directory = home != null ? home : asked != null && usable(asked) ? asked : choose(id);
        try {
            var opened = directory.openLog(id, topicId, config);
            logs.put(id, new Placed(directory, opened, topicId));
            return opened;
        } finally {
            chosen.remove(id);
        }
    }

    /// What became of the wish that a log lie in a certain directory.
    public enum Placement {
        /// It does.
        THERE,
        /// It will: there is no such log yet.
        LATER,
        /// It lies in another directory, and is on its way.
        MOVING,
        /// That directory failed, or too many wishes wait already.
        UNUSABLE,
        /// That is none of this broker's directories.
        UNKNOWN
    }

    /// Has a log lie in that directory: it is made there, or moved there while it is in use.
    public Placement place(PartitionId id, Path path) throws IOException {
        var wish = path.toAbsolutePath().normalize();
        if (missing.stream().anyMatch(one -> one.toAbsolutePath().normalize().equals(wish))) {
            return Placement.UNUSABLE;
        }
        var directory = directories.stream()
                .filter(one -> one.path().toAbsolutePath().normalize().equals(wish))
                .findFirst();
        if (directory.isEmpty()) {
            return Placement.UNKNOWN;
        }
        return usable(directory.get()) ? place(id, directory.get()) : Placement.UNUSABLE;
    }

    private Placement place(PartitionId id, LogDirectory directory) throws IOException {
        var placed = logs.get(id);
        if (placed == null) {
            if (broken.contains(id) || wanted.size() >= MOST_WANTED) {
                return Placement.UNUSABLE;
            }
            wanted.put(id, directory);
            return Placement.LATER;
        }
        if (!usable(placed.directory())) {
            return Placement.UNUSABLE;
        }
        if (placed.directory().equals(directory)) {
            moves.cancel(id);
            return Placement.THERE;
        }
        moves.start(id, placed.log(), placed.directory(), directory);
        return Placement.MOVING;
    }

    /// The logs that are on their way to `directory`.
    public List<LogMove> movesTo(LogDirectory directory) {
        return moves.into(directory);
    }

    /// How many logs are on their way from one directory to another.
    public int moving() {
        return moves.count();
    }

    /// Takes a log out of use; its files go in time. Nothing where there is none.
    public void deleteLog(PartitionId id) throws IOException {
        moves.cancel(id);
        var placed = logs.remove(id);
        if (placed != null) {
            placed.directory().deleteLog(id);
        }
        broken.remove(id);
    }

    /// Logs that are open, or that could not be.
    public Set<PartitionId> ids() {
        var ids = new java.util.HashSet<>(logs.keySet());
        ids.addAll(broken);
        return ids;
    }

    /// Names of logs on disk that nobody has claimed since the start and that do not say whose they are.
    public Set<PartitionId> unidentified() {
        return Set.copyOf(unidentified.keySet());
    }

    /// Those of `log.dirs` that could not be opened.
    public List<Path> missing() {
        return missing;
    }

    /// All directories that could be opened, in the order of `log.dirs`.
    public List<LogDirectory> directories() {
        return directories;
    }

    /// Whether a directory can be used.
    public boolean usable(LogDirectory directory) {
        return !failures.hasFailed(directory.path());
    }

    /// The open logs, by partition, that lie in `directory`.
    public Map<PartitionId, PartitionLog> logsIn(LogDirectory directory) {
        var inIt = new HashMap<PartitionId, PartitionLog>();
        logs.forEach((id, placed) -> {
            if (placed.directory().equals(directory)) {
                inIt.put(id, placed.log());
            }
        });
        return inIt;
    }

    /// How many directories failed.
    public int offline() {
        return failures.count();
    }

    /// Closes the logs, many at a time: most of that is waiting for the disk, and what waits at once shares the file system's
    /// commits. To be followed by [#close].
    ///
    /// @param pools makes a pool of so many threads, which is closed once all is done
    public void closeLogs(IntFunction<ExecutorService> pools) {
        moves.close();
        try (var executor = pools.apply(CLOSERS)) {
            directories.forEach(directory -> directory.closeLogs(executor));
        }
    }

    /// Closes all logs. A directory gets its mark of a clean stop last, and only where everything in it was closed well.
    @Override
    public void close() {
        moves.close();
        directories.forEach(LogDirectories::closeQuietly);
    }

    /// The emptiest one. Many choose at once, and see each other's choices.
    private LogDirectory choose(PartitionId id) throws IOException {
        if (directories.size() == 1 && usable(directories.getFirst())) {
            return directories.getFirst();
        }
        synchronized (chosen) {
            var counts = new HashMap<LogDirectory, Integer>();
            logs.values().forEach(placed -> counts.merge(placed.directory(), 1, Integer::sum));
            chosen.values().forEach(directory -> counts.merge(directory, 1, Integer::sum));
            var emptiest = directories.stream()
                    .filter(this::usable)
                    .min(Comparator.comparingInt(directory -> counts.getOrDefault(directory, 0)))
                    .orElseThrow(() -> new IOException("every log directory failed"));
            chosen.put(id, emptiest);
            return emptiest;
        }
    }

    private static void closeQuietly(@Nullable LogDirectory directory) {
        if (directory == null) {
            return;
        }
        try {
            directory.close();
        } catch (IOException | RuntimeException failure) {
            log.error("a log directory was not closed well, its logs are checked at the next start directory={}",
                    directory.path(), failure);
        }
    }
}
