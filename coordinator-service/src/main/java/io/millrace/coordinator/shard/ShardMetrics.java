package io.millrace.coordinator.shard;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.millrace.base.loop.Ticker;
import io.millrace.coordinator.group.GroupState;
import io.millrace.metadata.image.ShardKind;
import org.jspecify.annotations.Nullable;

/// All meters of the coordinator: Kafka's, of the same names, and those of its shards.
public final class ShardMetrics implements GroupCensus {
    private static final String GROUPS = "kafka.coordinator.group.groupmetadatamanager.";
    private static final String SHARD = "millrace.coordinator.shard.";

    private final Ticker ticker;
    private final Map<GroupState, AtomicInteger> groups = new EnumMap<>(GroupState.class);
    private final AtomicLong offsets = new AtomicLong();
    private final AtomicInteger owned = new AtomicInteger();
    private final AtomicInteger active = new AtomicInteger();
    private final DistributionSummary loadMillis;
    private final Map<ShardKind, DistributionSummary> partitionLoadMillis = new EnumMap<>(ShardKind.class);
    private final Timer append;
    private final Counter appendedRecords;
    private final Counter failedAppends;
    private final Counter refusedAppends;
    private final Counter malformedRecords;
    private final Counter rebalances;
    private final Counter consumerRebalances;
    private final Counter commits;
    private final Counter expirations;

    /// @param ticker for durations
    public ShardMetrics(MeterRegistry registry, Ticker ticker) {
        this.ticker = ticker;
        for (var state : GroupState.values()) {
            var count = new AtomicInteger();
            groups.put(state, count);
            registry.gauge(GROUPS + "numgroups" + state.label().toLowerCase(Locale.ROOT), count);
        }
        registry.gauge(GROUPS + "numgroups", groups,
                all -> all.values().stream().mapToInt(AtomicInteger::get).sum());
        registry.gauge(GROUPS + "numoffsets", offsets);
        registry.gauge(SHARD + "count", owned);
        registry.gauge(SHARD + "active", active);
        loadMillis = registry.summary(SHARD + "load.ms");
        for (var kind : ShardKind.values()) {
            var name = "kafka.server." + kind.name().toLowerCase(Locale.ROOT)
                    + ".coordinator.metrics.partition.load.time";
            var summary = registry.summary(name); // the registry adds its maximum
            partitionLoadMillis.put(kind, summary);
            registry.gauge(name + ".avg", summary, DistributionSummary::mean);
        }
        append = registry.timer(SHARD + "append");
        appendedRecords = registry.counter(SHARD + "append.records");
        failedAppends = registry.counter(SHARD + "append.failures");
        refusedAppends = registry.counter(SHARD + "append.refusals");
        malformedRecords = registry.counter(SHARD + "malformed.records");
        rebalances = registry.counter("kafka.server.group.coordinator.metrics.group.completed.rebalance");
        consumerRebalances = registry.counter("kafka.server.group.coordinator.metrics.consumer.group.rebalance");
        commits = registry.counter("kafka.server.group.coordinator.metrics.offset.commit");
        expirations = registry.counter("kafka.server.group.coordinator.metrics.offset.expiration");
    }

    @Override
    public void group(GroupState state, int change) {
        var count = groups.get(state);
        if (count != null) {
            count.addAndGet(change);
        }
    }

    @Override
    public void offsets(int change) {
        offsets.addAndGet(change);
    }

    void owned(int change) {
        owned.addAndGet(change);
    }

    void active(int change) {
        active.addAndGet(change);
    }

    void loaded(ShardKind kind, Duration time) {
        double millis = time.toMillis();
        loadMillis.record(millis);
        var ofKind = partitionLoadMillis.get(kind);
        if (ofKind != null) {
            ofKind.record(millis);
        }
    }

    void malformed() {
        malformedRecords.increment();
    }

    /// A reading to give to [#appended].
    long appendBegins() {
        return ticker.nanos();
    }

    void appended(long from, int records, @Nullable Throwable failure) {
        append.record(ticker.since(from).toNanos(), TimeUnit.NANOSECONDS);
        if (failure == null) {
            appendedRecords.increment(records);
        } else {
            failedAppends.increment();
        }
    }

    void appendRefused() {
        refusedAppends.increment();
    }

    void rebalanced() {
        rebalances.increment();
    }

    void consumerRebalanced() {
        consumerRebalances.increment();
    }

    void committed(int partitions) {
        commits.increment(partitions);
    }

    void expired(int partitions) {
        expirations.increment(partitions);
    }
}
