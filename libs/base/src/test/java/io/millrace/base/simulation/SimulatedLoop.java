package io.millrace.base.simulation;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.PriorityQueue;

import io.millrace.base.loop.Loop;
import io.millrace.base.loop.Ticker;
import io.millrace.base.loop.Timeout;

/// A loop on virtual time, in the test's own thread: tasks run only inside [#runPending] and [#advance], and the time
/// between them does not pass. Several users may share one instance; they then share its time.
public final class SimulatedLoop implements Loop {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final PriorityQueue<Task> tasks = new PriorityQueue<>(
            Comparator.comparingLong(Task::atNanos).thenComparingLong(Task::sequence));
    private long nowNanos;
    private long sequence;
    private boolean running;

    private record Task(long atNanos, long sequence, Runnable work) {}

    @Override
    public void execute(Runnable task) {
        schedule(Duration.ZERO, task);
    }

    @Override
    public Timeout schedule(Duration delay, Runnable work) {
        var task = new Task(nowNanos + Math.max(0, delay.toNanos()), sequence++, work);
        tasks.add(task);
        return () -> tasks.remove(task);
    }

    /// True also outside of tasks: the test's thread stands in for the loop's.
    @Override
    public boolean inLoop() {
        return true;
    }

    /// Runs what is due now, and what that leads to, until nothing is due.
    public void runPending() {
        advance(Duration.ZERO);
    }

    /// Lets `time` pass, running each task at its own moment.
    public void advance(Duration time) {
        if (running) {
            throw new IllegalStateException("a task cannot move the time");
        }
        running = true;
        try {
            long until = nowNanos + time.toNanos();
            for (var next = tasks.peek(); next != null && next.atNanos <= until; next = tasks.peek()) {
                tasks.remove();
                nowNanos = next.atNanos;
                next.work.run();
            }
            nowNanos = until;
        } finally {
            running = false;
        }
    }

    /// Elapsed time of this loop.
    public Ticker ticker() {
        return () -> nowNanos;
    }

    /// Wall time of this loop, from a fixed start.
    public Clock clock() {
        return new Clock() {
            @Override
            public ZoneId getZone() {
                return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(ZoneId zone) {
                throw new IllegalArgumentException("virtual time is UTC");
            }

            @Override
            public Instant instant() {
                return START.plusNanos(nowNanos);
            }
        };
    }
}
