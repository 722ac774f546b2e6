package io.millrace.broker.produce;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import io.millrace.base.loop.Loop;
import io.millrace.broker.partition.Partition;
import io.millrace.wire.error.Refused;
import org.apache.kafka.common.protocol.Errors;

/// The batches that wait for the in-sync replicas. There are at most so many: one more is answered as if its time were
/// over, so that its producer sends it again.
public final class ReplicationWaits {
    private final int most;
    private final AtomicInteger waiting = new AtomicInteger();

    public ReplicationWaits(int most) {
        this.most = most;
    }

    /// See [ReplicationWait#await].
    CompletableFuture<Void> await(Partition partition, long lastOffset, Duration atMost, Loop loop) {
        if (waiting.incrementAndGet() > most) {
            waiting.decrementAndGet();
            return CompletableFuture.failedFuture(new Refused(Errors.REQUEST_TIMED_OUT, "too many batches wait"));
        }
        var wait = ReplicationWait.await(partition, lastOffset, atMost, loop);
        wait.whenComplete((_, _) -> waiting.decrementAndGet());
        return wait;
    }

    /// How many wait now.
    public int count() {
        return waiting.get();
    }
}
