package io.millrace.controller.core;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

import io.millrace.base.loop.Loop;
import io.millrace.base.loop.Ticker;
import io.millrace.controller.core.StateKeeper.Contended;
import io.millrace.metadata.command.CommandRefused;
import io.millrace.metadata.command.NotActive;
import lombok.extern.slf4j.Slf4j;
import org.jspecify.annotations.Nullable;

/// The work of a term, one piece at a time, in its order. Confined to the controller's loop; who adds to it keeps its own
/// share bounded.
///
/// After a write without an answer nobody knows what is written, and decisions on what is known could write over it unseen,
/// since versions begin anew where a node was removed and created again. So a look at everything comes before all else.
@Slf4j
final class WorkQueue {
    private static final Duration RETRY_PAUSE = Duration.ofMillis(500);

    private final Loop loop;
    private final Ticker ticker;
    private final CoreObserver observer;
    private final Task lookAtEverything;
    private final Queue<Work> queue = new ArrayDeque<>();
    private boolean open;
    private boolean busy;
    private boolean unsure;

    WorkQueue(Loop loop, Ticker ticker, CoreObserver observer, Task lookAtEverything) {
        this.loop = loop;
        this.ticker = ticker;
        this.observer = observer;
        this.lookAtEverything = lookAtEverything;
    }

    /// Does work; completes on the loop once its writes are made.
    interface Task {
        CompletableFuture<?> start();
    }

    private record Work(long queuedAtNanos, Task task) {}

    /// Begins to work.
    void open() {
        open = true;
        next();
    }

    /// Works no more. What is left is started once, to find the term over and fail who waits for it.
    void close() {
        open = false;
        var left = List.copyOf(queue);
        queue.clear();
        left.forEach(work -> work.task().start());
    }

    void add(Task task) {
        queue.add(new Work(ticker.nanos(), task));
        next();
    }

    private void next() {
        if (busy || !open) {
            return;
        }
        if (unsure) {
            busy = true;
            lookBeforeAnythingElse();
        } else if (!queue.isEmpty()) {
            busy = true;
            work(queue.remove());
        }
    }

    private void work(Work work) {
        long started = ticker.nanos();
        work.task().start().whenCompleteAsync((_, failure) -> {
            observer.processed(Duration.ofNanos(started - work.queuedAtNanos()), ticker.since(started), queue.size());
            report(failure);
            busy = false;
            next();
        }, loop);
    }

    private void lookBeforeAnythingElse() {
        if (!open) {
            return;
        }
        unsure = false;
        lookAtEverything.start().whenCompleteAsync((_, failure) -> {
            report(failure);
            if (unsure) {
                loop.schedule(RETRY_PAUSE, this::lookBeforeAnythingElse);
            } else {
                busy = false;
                next();
            }
        }, loop);
    }

    private void report(@Nullable Throwable failure) {
        switch (failure == null ? null : cause(failure)) {
            case null -> {
                // It was done.
            }
            case CommandRefused _,NotActive _ -> {
                // Answers.
            }
            case Throwable accident when isOfZooKeeper(accident) -> {
                observer.failed();
                log.warn("ZooKeeper did not take a write or answer a read cause={}", accident.toString());
                unsure = true;
            }
            case Throwable bug -> {
                observer.failed();
                log.error("work of the controller failed", bug);
            }
        }
    }

    /// Whether ZooKeeper is what it failed by: then the same may succeed later.
    static boolean isOfZooKeeper(Throwable failure) {
        return failure instanceof Contended || !(failure instanceof RuntimeException);
    }

    static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException wrapped && wrapped.getCause() != null
                ? wrapped.getCause()
                : failure;
    }
}
