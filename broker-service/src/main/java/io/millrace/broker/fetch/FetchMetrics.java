package io.millrace.broker.fetch;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/// `kafka.server.fetchsessioncache.*` and the fetches that wait.
final class FetchMetrics {
    private final MeterRegistry registry;
    private final Counter evictions;

    FetchMetrics(MeterRegistry registry) {
        this.registry = registry;
        evictions = Counter.builder("kafka.server.fetchsessioncache.incrementalfetchsessionevictions")
                .register(registry);
    }

    void evicted() {
        evictions.increment();
    }

    void watch(FetchSessions sessions, ReplicaSessions replicas, FetchWaits waits) {
        Gauge.builder("kafka.server.fetchsessioncache.numincrementalfetchsessions", sessions, consumers -> consumers
                .count()
                + replicas.count())
                .register(registry);
        Gauge.builder("kafka.server.fetchsessioncache.numincrementalfetchpartitionscached", sessions,
                consumers -> consumers.partitions() + replicas.partitions()).register(registry);
        Gauge.builder("kafka.server.delayedoperationpurgatory.purgatorysize", waits, FetchWaits::count)
                .tag("delayedOperation", "Fetch")
                .register(registry);
    }
}
