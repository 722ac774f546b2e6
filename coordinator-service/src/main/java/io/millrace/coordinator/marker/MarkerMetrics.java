package io.millrace.coordinator.marker;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

/// Meters of the markers on their way.
public final class MarkerMetrics {
    private static final String MARKER = "millrace.coordinator.transaction.marker.";

    private final AtomicInteger backlog = new AtomicInteger();
    private volatile Supplier<Duration> oldest = () -> Duration.ZERO;
    private final Counter written;
    private final Counter retries;
    private final Counter refused;
    private final Timer time;

    public MarkerMetrics(MeterRegistry registry) {
        registry.gauge(MARKER + "backlog", backlog);
        registry.gauge(MARKER + "age.ms", this, metrics -> metrics.oldest.get().toMillis());
        written = registry.counter(MARKER + "written");
        retries = registry.counter(MARKER + "retries");
        refused = registry.counter(MARKER + "refused");
        time = registry.timer(MARKER + "time");
    }

    void waiting(int partitions) {
        backlog.addAndGet(partitions);
    }

    void written() {
        written.increment();
    }

    /// A partition has a marker of a later coordinator.
    void refused() {
        refused.increment();
    }

    void retried(int partitions) {
        retries.increment(partitions);
    }

    /// A transaction has all its markers, so long after its end was decided.
    void complete(Duration after) {
        time.record(after.toNanos(), TimeUnit.NANOSECONDS);
    }

    /// @param age of the oldest transaction that misses a marker, at the time of each call; zero where none does. Called by
    ///        whoever reads the figures
    void oldest(Supplier<Duration> age) {
        oldest = age;
    }
}
