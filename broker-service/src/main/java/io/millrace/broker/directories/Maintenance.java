package io.millrace.broker.directories;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.millrace.base.loop.Timeout;
import io.millrace.log.LogDirectory;
import io.millrace.log.PartitionLog;
import lombok.extern.slf4j.Slf4j;

/// What is done to logs now and then: retention, late fsyncs, checkpoints. Each kind of work is one task that never runs
/// twice at once, so a slow disk delays it instead of piling it up.
@Slf4j
public final class Maintenance implements AutoCloseable {
    private static final Duration FLUSH_CHECK = Duration.ofSeconds(1);
    private static final Duration PRODUCER_CHECK = Duration.ofMinutes(10);

    private final LogDirectories directories;
    /// What the last checkpoints of a directory said; one task's own.
    private final Map<LogDirectory, Long> written = new HashMap<>();
    private final List<Timeout> tasks = new ArrayList<>();

    /// How often.
    ///
    /// @param retention `log.retention.check.interval.ms`
    /// @param checkpoint the least of `replica.high.watermark.checkpoint.interval.ms` and
    ///        `log.flush.offset.checkpoint.interval.ms`: the files are written together
    public record Intervals(Duration retention, Duration checkpoint) {}

    private interface LogTask {
        void run(PartitionLog log) throws IOException;
    }

    public Maintenance(LogDirectories directories) {
        this.directories = directories;
    }

    /// Begins to do it, on the threads of `work`.
    public void start(BlockingWork work, Intervals intervals) {
        tasks.add(work.repeat(intervals.retention(), () -> each("retention", PartitionLog::deleteOldSegments)));
        tasks.add(work.repeat(FLUSH_CHECK, () -> each("flush", PartitionLog::flushIfDue)));
        tasks.add(work.repeat(PRODUCER_CHECK, () -> each("producer expiry", PartitionLog::expireProducers)));
        tasks.add(work.repeat(intervals.checkpoint(), this::writeCheckpoints));
    }

    /// Begins nothing any more; what is under way ends.
    @Override
    public void close() {
        tasks.forEach(Timeout::cancel);
        tasks.clear();
    }

    private void each(String what, LogTask task) {
        for (var directory : directories.directories()) {
            if (directories.usable(directory)) {
                directory.logs().forEach(one -> attempt(what, one, task));
            }
        }
    }

    private static void attempt(String what, PartitionLog one, LogTask task) {
        try {
            task.run(one);
        } catch (IOException | RuntimeException failure) {
            log.warn("{} failed log={}", what, one.directory(), failure);
        }
    }

    private void writeCheckpoints() {
        for (var directory : directories.directories()) {
            long now = fingerprint(directory);
            if (!directories.usable(directory) || Long.valueOf(now).equals(written.get(directory))) {
                continue;
            }
            try {
                directory.writeCheckpoints();
                written.put(directory, now);
            } catch (IOException | RuntimeException failure) {
                log.warn("checkpoints were not written directory={}", directory.path(), failure);
            }
        }
    }

    /// Differs whenever a checkpoint would say something else: all of these only grow, or a log came or went.
    private static long fingerprint(LogDirectory directory) {
        long sum = 0;
        for (var one : directory.logs()) {
            var checkpoint = one.checkpoint();
            sum += 31 * (checkpoint.recoveryPoint() + checkpoint.highWatermark() + checkpoint.logStartOffset()) + one
                    .directory().hashCode();
        }
        return sum;
    }
}
