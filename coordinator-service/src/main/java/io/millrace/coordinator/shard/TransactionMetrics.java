package io.millrace.coordinator.shard;

import java.time.Clock;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.coordinator.record.TransactionState;

/// Meters of the transactions of this coordinator: ours, and Kafka's of the same names. Callable from any thread.
public final class TransactionMetrics {
    private static final String TRANSACTION = "millrace.coordinator.transaction.";
    private static final String KAFKA = "kafka.server.transaction.coordinator.metrics.";

    private final Map<TransactionState, AtomicInteger> ids = new EnumMap<>(TransactionState.class);
    private final Map<Integer, Long> oldestMillis = new ConcurrentHashMap<>();
    private final Counter committed;
    private final Counter aborted;
    private final Counter timedOut;
    private final Counter fenced;
    private final Counter expired;

    /// @param clock by which transactions begin
    public TransactionMetrics(MeterRegistry registry, Clock clock) {
        for (var state : TransactionState.values()) {
            var count = new AtomicInteger();
            ids.put(state, count);
            registry.gauge(TRANSACTION + "ids." + state.label().toLowerCase(Locale.ROOT), count);
        }
        committed = registry.counter(TRANSACTION + "committed");
        aborted = registry.counter(TRANSACTION + "aborted");
        timedOut = registry.counter(TRANSACTION + "timed.out");
        fenced = registry.counter(TRANSACTION + "fenced");
        expired = registry.counter(TRANSACTION + "expired");
        registry.gauge(KAFKA + "transaction.timeout.count", timedOut, Counter::count);
        registry.gauge(KAFKA + "active.transaction.total.time.max", oldestMillis, all -> all.values().stream()
                .mapToLong(started -> Math.max(0, clock.millis() - started)).max().orElse(0));
    }

    /// When the oldest open transaction of a shard began, in milliseconds since 1970.
    void oldestOpen(int shard, OptionalLong startedMillis) {
        startedMillis.ifPresentOrElse(started -> oldestMillis.put(shard, started), () -> oldestMillis.remove(shard));
    }

    /// So many more (or fewer) ids are in that state.
    void ids(TransactionState state, int change) {
        var count = ids.get(state);
        if (count != null) {
            count.addAndGet(change);
        }
    }

    void ended(boolean commit) {
        (commit ? committed : aborted).increment();
    }

    void timedOut() {
        timedOut.increment();
    }

    void fenced() {
        fenced.increment();
    }

    void expired() {
        expired.increment();
    }
}
