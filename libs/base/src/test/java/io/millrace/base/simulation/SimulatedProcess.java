package io.millrace.base.simulation;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

import io.millrace.base.loop.Loop;
import io.millrace.base.loop.Timeout;

/// One life of one process on a [SimulatedLoop]: all its threads in one loop. Its tasks wait while it is stopped, as by
/// SIGSTOP, and are gone once it is killed; a new life is a new object.
public final class SimulatedProcess implements Loop {
    private final String host;
    private final SimulatedLoop loop;
    private final Runnable afterEach;
    private final Deque<Held> held = new ArrayDeque<>();
    private boolean alive = true;
    private boolean stopped;

    /// @param host where it runs, as the network knows it
    public SimulatedProcess(String host, SimulatedLoop loop) {
        this(host, loop, () -> {});
    }

    /// @param afterEach runs after each task, as long as it lives
    public SimulatedProcess(String host, SimulatedLoop loop, Runnable afterEach) {
        this.host = host;
        this.loop = loop;
        this.afterEach = afterEach;
    }

    private final class Held implements Timeout {
        private final Runnable task;
        private boolean cancelled;

        Held(Runnable task) {
            this.task = task;
        }

        void run() {
            if (!alive || cancelled) {
                return;
            }
            if (stopped) {
                held.add(this);
            } else {
                task.run();
                if (alive) {
                    afterEach.run();
                }
            }
        }

        @Override
        public void cancel() {
            cancelled = true;
        }
    }

    public String host() {
        return host;
    }

    @Override
    public void execute(Runnable task) {
        schedule(Duration.ZERO, task);
    }

    @Override
    public Timeout schedule(Duration delay, Runnable task) {
        var one = new Held(task);
        var scheduled = alive ? loop.schedule(delay, one::run) : one;
        return () -> {
            one.cancel();
            scheduled.cancel();
        };
    }

    @Override
    public boolean inLoop() {
        return true;
    }

    /// Nothing of it runs any more.
    public void kill() {
        alive = false;
        held.clear();
    }

    /// Nothing of it runs until [#resume].
    public void stop() {
        stopped = true;
    }

    /// Runs what has become due meanwhile, in its order, and goes on.
    public void resume() {
        stopped = false;
        while (!held.isEmpty()) {
            loop.execute(held.removeFirst()::run);
        }
    }

    public boolean isAlive() {
        return alive;
    }

    public boolean isStopped() {
        return stopped;
    }
}
