package io.millrace.broker.isr;

import java.time.Duration;
import java.util.Collection;
import java.util.function.Supplier;

import io.millrace.base.loop.Loop;
import io.millrace.base.loop.Timeout;
import io.millrace.broker.partition.Partition;
import org.jspecify.annotations.Nullable;

/// Looks, twice in the time after which a follower counts as out of sync, for those that are.
public final class IsrChecks implements AutoCloseable {
    private final Supplier<? extends Collection<Partition>> partitions;
    private final Loop loop;
    private final Duration interval;
    // On the loop alone.
    private @Nullable Timeout next;
    private boolean closed;

    /// @param partitions those of this broker
    /// @param lagTimeMax `replica.lag.time.max.ms`
    public IsrChecks(Supplier<? extends Collection<Partition>> partitions, Loop loop, Duration lagTimeMax) {
        this.partitions = partitions;
        this.loop = loop;
        this.interval = lagTimeMax.dividedBy(2);
    }

    /// Begins. Any thread, once.
    public void start() {
        loop.execute(this::plan);
    }

    private void plan() {
        if (!closed) {
            next = loop.schedule(interval, () -> {
                partitions.get().forEach(partition -> partition.isr().check());
                plan();
            });
        }
    }

    /// Ends. Any thread.
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
