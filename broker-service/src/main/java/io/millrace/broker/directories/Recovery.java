package io.millrace.broker.directories;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.log.LogDirectory;
import io.millrace.log.LogDirectory.FoundLog;
import io.millrace.log.recovery.RecoveryProgress;
import lombok.extern.slf4j.Slf4j;

/// Opens what lies in the log directories when the broker starts, each directory with threads of its own, so that a slow one
/// keeps no other waiting; and shows how far that is, in Kafka's metrics and a line now and then.
@Slf4j
public final class Recovery {
    private static final int PROGRESS_LINES = 20;

    private final int threads;
    private final IntFunction<ExecutorService> pools;
    private final MeterRegistry meters;

    /// Opens one log; says by itself where it cannot.
    @FunctionalInterface
    interface Opener {
        void open(LogDirectory directory, FoundLog log, RecoveryProgress progress);
    }

    /// @param threads for each directory: `num.recovery.threads.per.data.dir`
    /// @param pools makes a pool of so many threads, which is closed once all is done
    public Recovery(int threads, IntFunction<ExecutorService> pools, MeterRegistry meters) {
        this.threads = threads;
        this.pools = pools;
        this.meters = meters;
    }

    /// Blocks until all are open, or known not to be.
    void run(Map<LogDirectory, List<FoundLog>> found, Opener opener) {
        var all = new ArrayList<Directory>();
        found.forEach((directory, logs) -> all.add(new Directory(directory, logs, opener)));
        int total = all.stream().mapToInt(each -> each.remaining.get()).sum();
        if (total == 0) {
            return;
        }
        log.info("opening logs count={} directories={} threads={}", total, all.size(), threads);
        var done = new AtomicInteger();
        try (var executor = pools.apply(threads * all.size())) {
            for (int thread = 0; thread < threads; thread++) {
                for (var each : all) {
                    var remainingSegments = each.segments.get(thread);
                    executor.execute(() -> each.run(remainingSegments, () -> progress(done.incrementAndGet(), total)));
                }
            }
        }
    }

    private static void progress(int done, int total) {
        if (total >= PROGRESS_LINES && done < total
                && done * PROGRESS_LINES / total != (done - 1) * PROGRESS_LINES / total) {
            log.info("opening logs done={} of={}", done, total);
        }
    }

    /// One directory while its logs are opened.
    private final class Directory {
        private final LogDirectory directory;
        private final Queue<FoundLog> logs;
        private final Opener opener;
        private final AtomicInteger remaining;
        /// Those of the log that each thread has in hand.
        private final List<AtomicInteger> segments = new ArrayList<>();

        Directory(LogDirectory directory, List<FoundLog> found, Opener opener) {
            this.directory = directory;
            this.logs = new ConcurrentLinkedQueue<>(found);
            this.opener = opener;
            this.remaining = new AtomicInteger(found.size());
            var path = directory.path().toString();
            Gauge.builder("kafka.log.logmanager.remaininglogstorecover", remaining, AtomicInteger::get)
                    .tag("dir", path)
                    .strongReference(true)
                    .register(meters);
            for (int thread = 0; thread < threads; thread++) {
                var inHand = new AtomicInteger();
                segments.add(inHand);
                Gauge.builder("kafka.log.logmanager.remainingsegmentstorecover", inHand, AtomicInteger::get)
                        .tag("dir", path)
                        .tag("threadNum", Integer.toString(thread))
                        .strongReference(true)
                        .register(meters);
            }
        }

        void run(AtomicInteger remainingSegments, Runnable opened) {
            for (var next = logs.poll(); next != null; next = logs.poll()) {
                try {
                    opener.open(directory, next, remainingSegments::set);
                } finally {
                    remainingSegments.set(0);
                    remaining.decrementAndGet();
                    opened.run();
                }
            }
        }
    }
}
