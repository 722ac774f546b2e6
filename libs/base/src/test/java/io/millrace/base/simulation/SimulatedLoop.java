package io.millrace.base.simulation;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.PriorityQueue;

import io.millrace.base.loop.Loop;
import io.millrace.base.loop.Ticker;
import io.millrace.base.loop.Timeout;

/// A loop on virtual time, in the test's own thread: tasks run only inside [#runPending] and [#advance], and the time
/// between them does not pass. Several users may share one instance; they then share its time.
public final class SimulatedLoop implements Loop {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final PriorityQueue<Task> tasks = new PriorityQueue<>();
    private Runnable afterEach = () -> {};
    private long nowNanos;
    private long sequence;
    private long ran;
    private boolean running;

    private static final class Task implements Timeout, Comparable<Task> {
        private final long atNanos;
        private final long sequence;
        private final Runnable work;
        private boolean cancelled;

        Task(long atNanos, long sequence, Runnable work) {
            this.atNanos = atNanos;
            this.sequence = sequence;
            this.work = work;
        }

        /// It stays in the queue until its time, since to look for it there would take longer.
        @Override
        public void cancel() {
            cancelled = true;
        }

        @Override
        public int compareTo(Task other) {
            int byTime = Long.compare(atNanos, other.atNanos);
            return byTime != 0 ? byTime : Long.compare(sequence, other.sequence);
        }
    }

    @Override
    public void execute(Runnable task) {
        schedule(Duration.ZERO, task);
    }

    @Override
    public Timeout schedule(Duration delay, Runnable work) {
        var task = new Task(nowNanos + Math.max(0, delay.toNanos()), sequence++, work);
        tasks.add(task);
        return task;
    }

    /// True also outside of tasks: the test's thread stands in for the loop's.
    @Override
    public boolean inLoop() {
        return true;
    }

    /// Runs `check` after every task from now on: what it throws ends [#advance].
    public void afterEach(Runnable check) {
        afterEach = check;
    }

    /// How many tasks have run.
    public long ran() {
        return ran;
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
                if (!next.cancelled) {
                    nowNanos = next.atNanos;
                    ran++;
                    next.work.run();
                    afterEach.run();
                }
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

            @Override
            public long millis() {
                return START.toEpochMilli() + nowNanos / 1_000_000;
            }
        };
    }
}
