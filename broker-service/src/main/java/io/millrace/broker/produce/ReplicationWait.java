package io.millrace.broker.produce;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

import io.millrace.base.loop.Loop;
import io.millrace.broker.partition.Partition;
import io.millrace.broker.partition.Progress;
import io.millrace.broker.partition.ReadLimit;
import io.millrace.broker.partition.Replication;

/// One batch that waits for the in-sync replicas. Looks again, on its loop, whenever its partition moves on.
final class ReplicationWait implements Progress.Listener {
    private final Partition partition;
    private final long lastOffset;
    private final Loop loop;
    private final CompletableFuture<Void> result = new CompletableFuture<>();
    private final AtomicBoolean looking = new AtomicBoolean();

    private ReplicationWait(Partition partition, long lastOffset, Loop loop) {
        this.partition = partition;
        this.lastOffset = lastOffset;
        this.loop = loop;
    }

    /// Completes once the batch is replicated; fails with [io.millrace.wire.error.Refused] where it will not be, and with
    /// a [TimeoutException] after `atMost`. Whoever cancels the future ends the wait. To be called on `loop`.
    static CompletableFuture<Void> await(Partition partition, long lastOffset, Duration atMost, Loop loop) {
        var wait = new ReplicationWait(partition, lastOffset, loop);
        partition.progress(ReadLimit.HIGH_WATERMARK).listen(wait);
        var deadline = loop.schedule(atMost, () -> wait.result.completeExceptionally(new TimeoutException(partition
                .id() + " is not replicated")));
        wait.result.whenComplete((_, _) -> {
            deadline.cancel();
            partition.progress(ReadLimit.HIGH_WATERMARK).forget(wait);
        });
        wait.look();
        return wait.result;
    }

    @Override
    public void advanced(long bytes) {
        changed();
    }

    @Override
    public void changed() {
        if (looking.compareAndSet(false, true)) {
            try {
                loop.execute(this::look);
            } catch (RejectedExecutionException closed) {
                result.completeExceptionally(closed);
            }
        }
    }

    private void look() {
        looking.set(false);
        try {
            if (!result.isDone() && partition.replicated(lastOffset) == Replication.DONE) {
                result.complete(null);
            }
        } catch (RuntimeException refused) {
            result.completeExceptionally(refused);
        }
    }
}
