package io.millrace.log.disk;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import io.millrace.base.loop.Timeout;

/// Runs what may block on a disk: fsync, deletion, compaction. Tasks may run side by side and in any order.
public interface Background extends Executor {

    /// Runs `task` once `delay` has passed.
    Timeout schedule(Duration delay, Runnable task);

    /// The caller stays the owner of `executor` and closes it after the logs.
    static Background on(ScheduledExecutorService executor) {
        return new Background() {
            @Override
            public void execute(Runnable task) {
                executor.execute(task);
            }

            @Override
            public Timeout schedule(Duration delay, Runnable task) {
                var future = executor.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
                return () -> future.cancel(false);
            }
        };
    }
}
