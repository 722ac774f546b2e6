package io.millrace.broker.directories;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import io.millrace.base.loop.Timeout;
import io.millrace.log.disk.Background;
import io.millrace.wire.error.Refused;
import lombok.extern.slf4j.Slf4j;
import org.apache.kafka.common.protocol.Errors;

/// What may block on a disk. Work of the logs themselves (at most one fsync and one deletion each) is always taken; what
/// clients ask for is taken up to a bound, and refused beyond.
@Slf4j
public final class BlockingWork implements Background {
    private static final int MOST_REQUESTS = 10_000;

    private final Background threads;
    private final AtomicInteger requests = new AtomicInteger();

    /// @param threads on which all of it runs
    public BlockingWork(Background threads) {
        this.threads = threads;
    }

    @Override
    public void execute(Runnable task) {
        threads.execute(() -> run(task));
    }

    @Override
    public Timeout schedule(Duration delay, Runnable task) {
        return threads.schedule(delay, () -> run(task));
    }

    /// Runs `task` again and again, each time that long after the last one ended.
    public Timeout repeat(Duration pause, Runnable task) {
        var repeated = new Repeated(pause, task);
        repeated.next();
        return repeated;
    }

    /// Answers what a client asked for.
    ///
    /// @return fails with REQUEST_TIMED_OUT where too many wait already
    public <T> CompletableFuture<T> answer(Supplier<T> task) {
        if (requests.incrementAndGet() > MOST_REQUESTS) {
            requests.decrementAndGet();
            return CompletableFuture.failedFuture(new Refused(Errors.REQUEST_TIMED_OUT, "the disks are too busy"));
        }
        return CompletableFuture.supplyAsync(() -> {
            try {
                return task.get();
            } finally {
                requests.decrementAndGet();
            }
        }, threads);
    }

    private static void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | AssertionError failure) {
            log.error("disk work failed", failure);
        }
    }

    /// The lock closes the window in which the task is scheduled anew while somebody cancels it.
    private final class Repeated implements Timeout {
        private final Duration pause;
        private final Runnable task;
        private Timeout scheduled = () -> {};
        private boolean cancelled;

        Repeated(Duration pause, Runnable task) {
            this.pause = pause;
            this.task = task;
        }

        synchronized void next() {
            if (!cancelled) {
                scheduled = threads.schedule(pause, () -> {
                    run(task);
                    next();
                });
            }
        }

        @Override
        public synchronized void cancel() {
            cancelled = true;
            scheduled.cancel();
        }
    }
}
