package io.millrace.tests.simulation;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

import io.millrace.base.loop.Loop;
import io.millrace.base.loop.Timeout;
import io.millrace.broker.directories.BlockingWork;
import io.millrace.broker.directories.Workers;
import io.millrace.log.disk.Background;

/// The threads of a broker, all of them on its one simulated loop.
final class LoopExecutor extends AbstractExecutorService {
    private final Executor executor;

    private LoopExecutor(Executor executor) {
        this.executor = executor;
    }

    /// Whoever waits for a pool gets what it does at once; all the rest comes later.
    ///
    /// @param disk how long work in the background waits for its turn
    static Workers workers(Loop loop, Duration disk) {
        var background = new Background() {
            @Override
            public void execute(Runnable task) {
                loop.schedule(disk, task);
            }

            @Override
            public Timeout schedule(Duration delay, Runnable task) {
                return loop.schedule(delay, task);
            }
        };
        return new Workers(new BlockingWork(background), new LoopExecutor(loop), Runnable::run, _ -> new LoopExecutor(
                Runnable::run), loop, () -> {});
    }

    @Override
    public void execute(Runnable task) {
        executor.execute(task);
    }

    @Override
    public void shutdown() {
        // Its tasks end with their process.
    }

    @Override
    public List<Runnable> shutdownNow() {
        return List.of();
    }

    @Override
    public boolean isShutdown() {
        return true;
    }

    @Override
    public boolean isTerminated() {
        return true;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        return true;
    }
}
