package io.millrace.broker.directories;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.base.loop.Ticker;
import io.millrace.base.loop.Timeout;
import io.millrace.log.PartitionLog;
import io.millrace.log.compaction.CleanerMetrics;
import io.millrace.log.compaction.CleanerSettings;
import io.millrace.log.compaction.Compactable;
import io.millrace.log.compaction.LogCleaner;
import io.millrace.service.config.ServerSettings;

/// Cleans the compacted logs of this broker: as many tasks as `log.cleaner.threads`, each of which cleans until nothing is due,
/// and then rests for `log.cleaner.backoff.ms`.
public final class Cleaning implements AutoCloseable {
    private final LogCleaner cleaner;
    private final CleanerSettings settings;
    private final List<Timeout> tasks = new ArrayList<>();

    public Cleaning(LogDirectories directories, ServerSettings server, MeterRegistry meters, Clock clock,
            Ticker ticker) {
        settings = new CleanerSettings(server.getLong("log.cleaner.dedupe.buffer.size"), server.getDouble(
                "log.cleaner.io.buffer.load.factor"), server.getInt("log.cleaner.io.buffer.size"), server.getDouble(
                        "log.cleaner.io.max.bytes.per.second"), threads(server), Duration.ofMillis(server.getLong(
                                "log.cleaner.backoff.ms")));
        cleaner = new LogCleaner(settings, () -> compactable(directories), clock, ticker, time -> LockSupport.parkNanos(
                time.toNanos()), new CleanerMetrics(meters, ticker));
    }

    /// How many threads it keeps busy at most.
    public static int threads(ServerSettings server) {
        return server.getBoolean("log.cleaner.enable") ? server.getInt("log.cleaner.threads") : 0;
    }

    private static List<Compactable> compactable(LogDirectories directories) {
        var logs = new ArrayList<Compactable>();
        for (var directory : directories.directories()) {
            if (directories.usable(directory)) {
                directory.logs().stream().map(PartitionLog::compaction).forEach(logs::add);
            }
        }
        return logs;
    }

    /// Begins, on the threads of `work`.
    public void start(BlockingWork work) {
        for (int i = 0; i < settings.threads(); i++) {
            tasks.add(work.repeat(settings.backoff(), cleaner::run));
        }
    }

    /// Begins nothing any more; what is under way ends soon, unfinished.
    @Override
    public void close() {
        cleaner.stop();
        tasks.forEach(Timeout::cancel);
        tasks.clear();
    }
}
