package io.millrace.broker.replication;

import java.time.Duration;

import io.millrace.base.loop.Loop;
import io.millrace.base.loop.Timeout;

/// A loop as one process sees it: once that has died nothing of it runs any more.
final class MortalLoop implements Loop {
    private final Loop loop;
    private boolean dead;

    MortalLoop(Loop loop) {
        this.loop = loop;
    }

    void die() {
        dead = true;
    }

    @Override
    public void execute(Runnable task) {
        loop.execute(living(task));
    }

    @Override
    public Timeout schedule(Duration delay, Runnable task) {
        return loop.schedule(delay, living(task));
    }

    @Override
    public boolean inLoop() {
        return loop.inLoop();
    }

    private Runnable living(Runnable task) {
        return () -> {
            if (!dead) {
                task.run();
            }
        };
    }
}
