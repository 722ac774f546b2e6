package io.millrace.log.compaction;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.base.loop.Ticker;

/// `kafka.log.logcleaner.*` and `kafka.log.logcleanermanager.*`, and counters of our own. Gauges tell of the last clean, or of
/// the last look at all logs.
public final class CleanerMetrics {
    private static final String CLEANER = "kafka.log.logcleaner.";
    private static final String MANAGER = "kafka.log.logcleanermanager.";
    private static final int PERCENT = 100;

    private final MeterRegistry registry;
    private final Ticker ticker;
    private final AtomicLong mapPercent = new AtomicLong();
    private final AtomicLong recopyPercent = new AtomicLong();
    private final AtomicLong cleanSeconds = new AtomicLong();
    private final AtomicLong delaySeconds = new AtomicLong();
    private final AtomicLong dirtyPercent = new AtomicLong();
    private final AtomicLong lastLookNanos;
    private final Map<String, Uncleanables> uncleanable = new ConcurrentHashMap<>();
    private final Counter cleans;
    private final Counter aborted;
    private final Counter readBytes;
    private final Counter removedBytes;

    private record Uncleanables(AtomicLong logs, AtomicLong bytes) {}

    public CleanerMetrics(MeterRegistry registry, Ticker ticker) {
        this.registry = registry;
        this.ticker = ticker;
        this.lastLookNanos = new AtomicLong(ticker.nanos());
        gauge(CLEANER + "max.buffer.utilization.percent", mapPercent);
        gauge(CLEANER + "cleaner.recopy.percent", recopyPercent);
        gauge(CLEANER + "max.clean.time.secs", cleanSeconds);
        gauge(CLEANER + "max.compaction.delay.secs", delaySeconds);
        gauge(MANAGER + "max.dirty.percent", dirtyPercent);
        Gauge.builder(MANAGER + "time.since.last.run.ms", this, it -> it.ticker.since(it.lastLookNanos.get())
                .toMillis()).register(registry);
        cleans = counter("millrace.log.cleaner.cleaned", "logs cleaned");
        aborted = counter("millrace.log.cleaner.aborted", "cleans that were not finished");
        readBytes = Counter.builder("millrace.log.cleaner.read").baseUnit("bytes").description(
                "bytes read by the cleaner").register(registry);
        removedBytes = Counter.builder("millrace.log.cleaner.removed").baseUnit("bytes").description(
                "bytes by which logs became smaller").register(registry);
    }

    private void gauge(String name, AtomicLong value) {
        Gauge.builder(name, value, AtomicLong::get).register(registry);
    }

    private Counter counter(String name, String description) {
        return Counter.builder(name).description(description).register(registry);
    }

    /// @param dirtiest of all logs, 0 to 1
    /// @param mostOverdueMs longest wait past `max.compaction.lag.ms`
    void looked(double dirtiest, long mostOverdueMs) {
        lastLookNanos.set(ticker.nanos());
        dirtyPercent.set((long) (dirtiest * PERCENT));
        delaySeconds.set(Duration.ofMillis(mostOverdueMs).toSeconds());
    }

    void cleaned(Cleaner.Result result, Duration took) {
        cleans.increment();
        readBytes.increment((double) result.readBytes());
        removedBytes.increment((double) Math.max(0, result.beforeBytes() - result.afterBytes()));
        mapPercent.set((long) (result.mapUse() * PERCENT));
        cleanSeconds.set(took.toSeconds());
        recopyPercent.set(result.beforeBytes() == 0 ? 0 : PERCENT * result.afterBytes() / result.beforeBytes());
    }

    void aborted() {
        aborted.increment();
    }

    /// How many logs of a log directory the cleaner leaves alone, and their bytes.
    void uncleanable(String logDirectory, long logs, long bytes) {
        var known = uncleanable.computeIfAbsent(logDirectory, this::register);
        known.logs.set(logs);
        known.bytes.set(bytes);
    }

    private Uncleanables register(String logDirectory) {
        var made = new Uncleanables(new AtomicLong(), new AtomicLong());
        Gauge.builder(MANAGER + "uncleanable.partitions.count", made.logs, AtomicLong::get).tag("logDirectory",
                logDirectory).register(registry);
        Gauge.builder(MANAGER + "uncleanable.bytes", made.bytes, AtomicLong::get).tag("logDirectory", logDirectory)
                .register(registry);
        return made;
    }
}
