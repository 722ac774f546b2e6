package io.millrace.coordinator.lag;

import java.time.Clock;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;

import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.base.loop.Loop;
import io.millrace.base.loop.Timeout;
import io.millrace.coordinator.lag.CommittedAt.PartitionName;
import io.millrace.coordinator.shard.GroupShard;
import io.millrace.coordinator.shard.OwnedShards;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.wire.client.NodeClient;
import lombok.extern.slf4j.Slf4j;
import org.jspecify.annotations.Nullable;

/// Looks again and again how far behind the groups are. A round begins once the one before is over and the interval has
/// passed. All of it on one loop, but for what shards and brokers do.
@Slf4j
public final class LagRounds implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final GroupOffsets offsets;
    private final LogEnds ends;
    private final LagMetrics metrics;
    private final Loop loop;
    private final Duration interval;
    private final Clock clock;
    private final EndHistory history = new EndHistory();
    private boolean closed;
    private @Nullable Timeout next;

    /// How often, and how much of it is told.
    ///
    /// @param series of each gauge at most
    public record Rules(Duration interval, int series) {}

    /// Where partitions are asked for.
    ///
    /// @param image the newest one
    /// @param listener of brokers, by its name
    public record Brokers(NodeClient client, Supplier<ClusterImage> image, String listener) {}

    /// @param loop that waits between rounds
    /// @param clock that ages are counted by
    public LagRounds(OwnedShards<GroupShard> shards, Brokers brokers, Rules rules, MeterRegistry meters, Loop loop,
            Clock clock) {
        this.clock = clock;
        offsets = new GroupOffsets(shards);
        ends = new LogEnds(brokers.client(), brokers.image(), brokers.listener(), TIMEOUT);
        metrics = new LagMetrics(meters, rules.series(), () -> brokers.image().get().clusterId());
        this.loop = loop;
        interval = rules.interval();
    }

    /// The first round comes after one interval.
    public void start() {
        loop.execute(this::schedule);
    }

    private void schedule() {
        if (!closed) {
            next = loop.schedule(interval, this::round);
        }
    }

    private void round() {
        offsets.committed().thenCompose(this::lags).whenCompleteAsync((lags, failure) -> {
            if (failure == null) {
                metrics.tell(lags);
            } else {
                log.warn("the lag of groups is not known reason=\"{}\"", failure.toString());
            }
            schedule();
        }, loop).exceptionally(stopping -> {
            if (!(stopping.getCause() instanceof RejectedExecutionException)) {
                log.error("rounds of lag end", stopping);
            }
            return List.of();
        });
    }

    private CompletableFuture<List<Lags.Lag>> lags(List<CommittedAt> committed) {
        var partitions = new HashSet<PartitionName>();
        committed.forEach(at -> partitions.add(at.partition()));
        return ends.of(partitions).thenApplyAsync(found -> {
            long now = clock.millis();
            history.add(now, found);
            return Lags.of(committed, found, history, now);
        }, loop);
    }

    /// No round begins any more.
    @Override
    public void close() {
        loop.execute(() -> {
            closed = true;
            if (next != null) {
                next.cancel();
            }
        });
    }
}
