package io.millrace.broker.directories;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

import io.millrace.base.loop.Loop;
import io.millrace.base.loop.SingleThreadLoop;
import io.millrace.log.disk.Background;
import lombok.extern.slf4j.Slf4j;

/// Who does what may block on a disk.
///
/// @param work fsync, retention, deletion, and what clients ask of logs
/// @param applier takes over images, one at a time; closed before the logs are
/// @param openers open logs, several at a time, while the applier waits for them
/// @param recovery makes the pool of so many threads that opens the logs at the start
/// @param loop decides on replicas: never blocked, and so apart from the rest
/// @param onClose ends what else there is, once no log is open any more
@Slf4j
public record Workers(BlockingWork work, ExecutorService applier, Executor openers,
        IntFunction<ExecutorService> recovery, Loop loop, Runnable onClose) implements AutoCloseable {
    private static final Duration CLOSE_WAIT = Duration.ofSeconds(30);

    /// Threads of this process.
    ///
    /// @param background `background.threads`, and one for each log that is cleaned at a time
    public static Workers threads(int background) {
        var disks = new ScheduledThreadPoolExecutor(background, Thread.ofPlatform().name("disk-", 0).daemon()
                .factory());
        disks.setRemoveOnCancelPolicy(true);
        disks.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        var applier = Executors.newSingleThreadExecutor(Thread.ofPlatform().name("partitions").daemon().factory());
        var work = new BlockingWork(Background.on(disks));
        var loop = new SingleThreadLoop("replicas");
        return new Workers(work, applier, work, threads -> Executors.newFixedThreadPool(threads, Thread.ofPlatform()
                .name("recovery-", 0).daemon().factory()), loop, () -> {
                    loop.close();
                    close(disks);
                });
    }

    /// Runs what was begun and what waits already, but nothing that is scheduled for later.
    private static void close(ScheduledThreadPoolExecutor disks) {
        disks.shutdown();
        try {
            if (!disks.awaitTermination(CLOSE_WAIT.toMillis(), TimeUnit.MILLISECONDS)) {
                log.warn("disk work is still under way after {}", CLOSE_WAIT);
                disks.shutdownNow();
            }
        } catch (InterruptedException _) {
            disks.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        onClose.run();
    }
}
