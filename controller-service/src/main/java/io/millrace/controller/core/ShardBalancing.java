package io.millrace.controller.core;

import java.time.Duration;
import java.util.Optional;

import io.millrace.base.loop.Loop;
import io.millrace.base.loop.Timeout;

/// Evens out from time to time what coordinators own, a few shards at a time: one that comes back has its share within
/// seconds, and groups never wait for many shards to be loaded at once. Confined to the controller's loop.
final class ShardBalancing {
    private static final Duration INTERVAL = Duration.ofSeconds(2);
    private static final int MOVES = 5;

    private final Loop loop;
    private final Decider decider;
    private final StateKeeper keeper;
    private final WorkQueue queue;
    private boolean waiting;
    private Optional<Timeout> next = Optional.empty();

    ShardBalancing(Loop loop, Decider decider, StateKeeper keeper, WorkQueue queue) {
        this.loop = loop;
        this.decider = decider;
        this.keeper = keeper;
        this.queue = queue;
    }

    void begin() {
        next = Optional.of(loop.schedule(INTERVAL, this::step));
    }

    void end() {
        next.ifPresent(Timeout::cancel);
        next = Optional.empty();
    }

    private void step() {
        begin();
        if (waiting || keeper.image().liveCoordinators().size() < 2) {
            return;
        }
        waiting = true;
        queue.add(() -> keeper.decide(now -> decider.evened(now, MOVES)).whenCompleteAsync((_, _) -> waiting = false,
                loop));
    }
}
