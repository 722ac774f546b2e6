package io.millrace.wire.frame;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

import io.millrace.base.check.Check;

/// The memory that frames being received may hold, over many connections. A frame is let in while any is left, whatever
/// its size, so that the largest frame allowed never waits for ever; the bound is thus exceeded by at most one frame a
/// thread. Safe for all threads.
public final class FrameMemory {
    private final AtomicLong available;
    /// At most one of each connection that waits.
    private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();

    public FrameMemory(long bytes) {
        Check.argument(bytes > 0, "frame memory of %d bytes", bytes);
        available = new AtomicLong(bytes);
    }

    /// Takes `bytes`, to be given back with [#give].
    ///
    /// @param retry where nothing is left: called once, by any thread, when it is worth asking again
    /// @return whether they were taken
    boolean take(int bytes, Runnable retry) {
        if (takeIfAny(bytes)) {
            return true;
        }
        waiting.add(retry);
        // What was given back between the two lines above woke nobody.
        if (available.get() > 0) {
            wakeAll();
        }
        return false;
    }

    void give(int bytes) {
        if (available.addAndGet(bytes) > 0 && !waiting.isEmpty()) {
            wakeAll();
        }
    }

    /// What is left, in bytes; negative while exceeded.
    public long available() {
        return available.get();
    }

    private boolean takeIfAny(int bytes) {
        long had = available.get();
        while (had > 0) {
            if (available.compareAndSet(had, had - bytes)) {
                return true;
            }
            had = available.get();
        }
        return false;
    }

    private void wakeAll() {
        for (var retry = waiting.poll(); retry != null; retry = waiting.poll()) {
            retry.run();
        }
    }
}
