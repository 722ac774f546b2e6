package io.millrace.broker.directories;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import io.millrace.base.loop.Timeout;
import io.millrace.log.disk.Background;
import io.millrace.wire.error.Refused;
import lombok.extern.slf4j.Slf4j;
import org.apache.kafka.common.protocol.Errors;

/// Threads for what may block on a disk. Work of the logs themselves (at most one fsync and one deletion each) is always
/// taken; what clients ask for is taken up to a bound, and refused beyond.
@Slf4j
public final class BlockingWork implements Background, AutoCloseable {
    private static final int MOST_REQUESTS = 10_000;
    private static final Duration CLOSE_WAIT = Duration.ofSeconds(30);

    private final ScheduledThreadPoolExecutor executor;
    private final AtomicInteger requests = new AtomicInteger();

    /// @param threads `background.threads`
    public BlockingWork(int threads) {
        var factory = Thread.ofPlatform().name("disk-", 0).daemon().factory();
        executor = new ScheduledThreadPoolExecutor(threads, factory);
        executor.setRemoveOnCancelPolicy(true);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    @Override
    public void execute(Runnable task) {
        executor.execute(() -> run(task));
    }

    @Override
    public Timeout schedule(Duration delay, Runnable task) {
        var future = executor.schedule(() -> run(task), delay.toNanos(), TimeUnit.NANOSECONDS);
        return () -> future.cancel(false);
    }

    /// Runs `task` again and again, each time that long after the last one ended.
    public Timeout repeat(Duration pause, Runnable task) {
        var future = executor.scheduleWithFixedDelay(() -> run(task), pause.toNanos(), pause.toNanos(),
                TimeUnit.NANOSECONDS);
        return () -> future.cancel(false);
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
        }, executor);
    }

    /// Runs what was begun and what waits already, but nothing that is scheduled for later.
    @Override
    public void close() {
        executor.shutdown();
        try {
            if (!executor.awaitTermination(CLOSE_WAIT.toMillis(), TimeUnit.MILLISECONDS)) {
                log.warn("disk work is still under way after {}", CLOSE_WAIT);
                executor.shutdownNow();
            }
        } catch (InterruptedException _) {
            executor.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }

    private static void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | AssertionError failure) {
            log.error("disk work failed", failure);
        }
    }
}
