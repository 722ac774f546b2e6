package io.millrace.base.loop;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// A loop on a daemon thread of its own.
public final class SingleThreadLoop implements Loop, AutoCloseable {
    private static final Logger log = System.getLogger(SingleThreadLoop.class.getName());
    private static final Duration CLOSE_WAIT = Duration.ofSeconds(5);

    private final ScheduledThreadPoolExecutor executor;
    private final Thread thread;

    /// @param name of the thread, as thread dumps and logs show it
    public SingleThreadLoop(String name) {
        var holder = new Thread[1];
        executor = new ScheduledThreadPoolExecutor(1, work -> {
            holder[0] = Thread.ofPlatform().name(name).daemon().unstarted(work);
            return holder[0];
        });
        executor.setRemoveOnCancelPolicy(true);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        executor.prestartCoreThread();
        thread = holder[0];
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

    @Override
    public boolean inLoop() {
        return thread.equals(Thread.currentThread());
    }

    /// Runs what was already queued (not what is scheduled), waits at most five seconds for it, then interrupts.
    @Override
    public void close() {
        executor.shutdown();
        if (inLoop()) {
            return;
        }
        try {
            if (!executor.awaitTermination(CLOSE_WAIT.toMillis(), TimeUnit.MILLISECONDS)) {
                executor.shutdownNow();
            }
        } catch (InterruptedException _) {
            executor.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }

    private void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | AssertionError failure) {
            log.log(Level.ERROR, "a task failed on loop " + thread.getName(), failure);
        }
    }
}
