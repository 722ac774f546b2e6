package io.millrace.base.loop;

import java.time.Duration;
import java.util.concurrent.Executor;

/// Runs tasks one at a time, in the order given. A task never blocks on disk, network or another loop.
///
/// [#execute] and [#schedule] may be called from any thread. A task that throws is logged by the loop and does not stop
/// it. After the loop was closed both throw [java.util.concurrent.RejectedExecutionException].
public interface Loop extends Executor {

    /// Runs `task` on this loop once `delay` has passed; at once (but never inside this call) where it is not positive.
    Timeout schedule(Duration delay, Runnable task);

    /// Whether the calling thread is the one that runs this loop's tasks.
    boolean inLoop();

    /// Guards confined state: every method that touches it begins with this call.
    ///
    /// @throws IllegalStateException on any other thread
    default void assertInLoop() {
        if (!inLoop()) {
            throw new IllegalStateException("not on the loop that owns this state: " + Thread.currentThread()
                    .getName());
        }
    }
}
