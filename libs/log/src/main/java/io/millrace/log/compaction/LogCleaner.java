package io.millrace.log.compaction;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import io.millrace.base.loop.Ticker;
import io.millrace.log.segment.Segment;
import lombok.extern.slf4j.Slf4j;
import org.jspecify.annotations.Nullable;

/// Cleans the logs of a broker that are compacted, the dirtiest first. Several threads may run it at once, each on a log of
/// its own. A log that cannot be cleaned is said, counted, and left alone until the next start.
@Slf4j
public final class LogCleaner {
    private final CleanerSettings settings;
    private final Supplier<? extends Collection<? extends Compactable>> logs;
    private final Clock clock;
    private final Ticker ticker;
    private final CleanerMetrics metrics;
    private final Throttle throttle;
    private final Set<Path> inProgress = new HashSet<>();
    /// Logs that are left alone, and their bytes when that was found.
    private final Map<Path, Long> uncleanable = new ConcurrentHashMap<>();
    private volatile boolean stopping;

    /// What is to be done next.
    private record Task(Compactable log, CompactionState state, DirtyRange range) {}

    /// @param logs of usable directories, compacted or not
    /// @param clock wall time, which is what lags and horizons are in
    /// @param pause for the throttle
    public LogCleaner(CleanerSettings settings, Supplier<? extends Collection<? extends Compactable>> logs, Clock clock,
            Ticker ticker, Pause pause, CleanerMetrics metrics) {
        this.settings = settings;
        this.logs = logs;
        this.clock = clock;
        this.ticker = ticker;
        this.metrics = metrics;
        this.throttle = new Throttle(settings.ioMaxBytesPerSecond(), ticker, pause);
    }

    /// Cleans until nothing is due. Blocks for as long as that takes.
    public void run() {
        while (cleanNext()) {
            // the next one
        }
    }

    /// Ends what is under way at the next bufferful, and begins nothing any more.
    public void stop() {
        stopping = true;
    }

    /// Cleans the log that is due and has the largest share of dirt.
    ///
    /// @return whether there was one, and it is clean now
    public boolean cleanNext() {
        var task = stopping ? null : take();
        if (task == null) {
            return false;
        }
        try {
            return clean(task);
        } finally {
            synchronized (this) {
                inProgress.remove(task.log.directory());
            }
        }
    }

    private synchronized @Nullable Task take() {
        Task dirtiest = null;
        double mostDirty = 0;
        long mostOverdueMs = 0;
        var all = List.copyOf(logs.get());
        for (var one : all) {
            var task = uncleanable.containsKey(one.directory()) || inProgress.contains(one.directory())
                    ? null
                    : look(one);
            if (task != null) {
                mostDirty = Math.max(mostDirty, task.range.ratio());
                mostOverdueMs = Math.max(mostOverdueMs, task.range.overdueMs());
                boolean due = task.range.isDue(task.state.rules());
                if (due && (dirtiest == null || task.range.ratio() > dirtiest.range.ratio())) {
                    dirtiest = task;
                }
            }
        }
        metrics.looked(mostDirty, mostOverdueMs);
        if (dirtiest != null) {
            inProgress.add(dirtiest.log.directory());
        }
        return dirtiest;
    }

    private @Nullable Task look(Compactable one) {
        try {
            if (!one.state().rules().compact()) {
                return null;
            }
            one.rollIfOld();
            var state = one.state();
            return new Task(one, state, rangeOf(state));
        } catch (IOException | UncheckedIOException failure) {
            // A failure of the disk was reported where it was met; a log that was closed meanwhile is none of ours.
            log.debug("not looked at: log={}", one.directory(), failure);
            return null;
        }
    }

    private DirtyRange rangeOf(CompactionState state) throws IOException {
        var rules = state.rules();
        var closed = new ArrayList<DirtyRange.Part>();
        var segments = state.segments();
        for (int i = 0; i < segments.size() - 1; i++) {
            var segment = segments.get(i);
            closed.add(new DirtyRange.Part(segment.baseOffset(), state.nextBase(i), segment.sizeBytes(), rules
                    .minCompactionLagMs() > 0 ? segment.largestTimestamp() : -1, rules
                            .maxCompactionLagMs() < Long.MAX_VALUE ? segment.firstBatchTimestamp() : -1));
        }
        return DirtyRange.of(closed, segments.getLast().baseOffset(), state.logStartOffset(), state.logEndOffset(),
                state.lastStableOffset(), state.cleanedTo(), state.nextDeleteHorizon(), rules, clock.millis());
    }

    private boolean clean(Task task) {
        long started = ticker.nanos();
        var directory = task.log.directory();
        try {
            var result = new Cleaner(settings, throttle, task.log, task.state, task.range, clock.millis(),
                    () -> stopping).run();
            var took = ticker.since(started);
            metrics.cleaned(result, took);
            log.info("cleaned: directory={} from={} to={} bytes={} now={} records={} dropped={} keyMap={}% millis={}",
                    directory, task.range.start(), result.end(), result.beforeBytes(), result.afterBytes(), result
                            .keptRecords(), result.droppedRecords(), (int) (result.mapUse() * 100), took.toMillis());
            return true;
        } catch (CleaningAborted changed) {
            metrics.aborted();
            log.debug("not cleaned: directory={} reason={}", directory, changed.getMessage());
        } catch (Uncleanable broken) {
            leaveAlone(directory, task.state, broken.reason());
        } catch (IOException failure) {
            failed(task, failure);
        } catch (UncheckedIOException failure) {
            failed(task, new IOException("an index cannot be read", failure));
        } catch (RuntimeException bug) {
            log.error("the cleaner failed: directory={}", directory, bug);
            leaveAlone(directory, task.state, bug.toString());
        }
        return false;
    }

    private void failed(Task task, IOException failure) {
        metrics.aborted();
        if (task.log.isCurrent(task.state)) {
            task.log.failed(failure);
        } else {
            log.debug("not cleaned: directory={} the log changed", task.log.directory(), failure);
        }
    }

    private void leaveAlone(Path directory, CompactionState state, String reason) {
        log.error("a log cannot be cleaned, it is left alone until the next start: directory={} reason={}", directory,
                reason);
        uncleanable.put(directory, state.segments().stream().mapToLong(Segment::sizeBytes).sum());
        var home = String.valueOf(directory.getParent());
        var inIt = uncleanable.entrySet().stream().filter(each -> home.equals(String.valueOf(each.getKey()
                .getParent()))).map(Map.Entry::getValue).toList();
        metrics.uncleanable(home, inIt.size(), inIt.stream().mapToLong(Long::longValue).sum());
    }
}
