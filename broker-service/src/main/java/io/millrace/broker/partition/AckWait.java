package io.millrace.broker.partition;

import io.millrace.wire.error.Refused;
import org.jspecify.annotations.Nullable;

/// A batch that waits until all in-sync replicas have it, or this broker's disk. It is itself the link of the list in which it waits.
public abstract class AckWait {
    // Guarded by the queue's monitor, as long as it is in one.
    long lastOffset;
    @Nullable
    AckWait previous;
    @Nullable
    AckWait next;
    volatile @Nullable AckQueue queue;
    private final boolean forReplicas;
    private boolean joined;

    /// @param forReplicas whether it waits for all in-sync replicas; else for this broker's disk alone
    protected AckWait(boolean forReplicas) {
        this.forReplicas = forReplicas;
    }

    /// Whether it waits for all in-sync replicas; else for this broker's disk alone.
    protected final boolean forReplicas() {
        return forReplicas;
    }

    /// Its wait is over. Called once, on any thread, perhaps inside of someone else's append: it only hands on.
    ///
    /// @param refused null where all in-sync replicas have the batch
    protected abstract void done(@Nullable Refused refused);

    /// Whether it has to wait, or had to: false where the batch was replicated by the time it was appended, and then [#done]
    /// is not called. On the thread that appends, once it has appended.
    public final boolean joined() {
        return joined;
    }

    final void join(AckQueue joins) {
        joined = true;
        queue = joins;
    }

    /// Waits no longer; [#done] is not called any more. Any thread.
    ///
    /// @return false where the wait was over before
    public final boolean cancel() {
        var waitsIn = queue;
        return waitsIn != null && waitsIn.remove(this);
    }
}
