package io.millrace.broker.produce;

import java.util.concurrent.atomic.AtomicInteger;

/// How many batches wait for the in-sync replicas. There are at most so many: one more is answered as if its time were
/// over, so that its producer sends it again. Any thread.
public final class ReplicationWaits {
    private final int most;
    private final AtomicInteger waiting = new AtomicInteger();

    public ReplicationWaits(int most) {
        this.most = most;
    }

    /// One more waits, to be followed by [#leave].
    ///
    /// @return whether it is not one too many
    boolean enter() {
        return waiting.incrementAndGet() <= most;
    }

    void leave() {
        waiting.decrementAndGet();
    }

    /// How many wait now.
    public int count() {
        return waiting.get();
    }
}
