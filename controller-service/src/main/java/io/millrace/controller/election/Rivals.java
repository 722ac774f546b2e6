package io.millrace.controller.election;

import java.util.concurrent.CompletableFuture;

/// Finds out whether the holder of the office is alive.
@FunctionalInterface
public interface Rivals {

    /// Whether that controller's process is gone or hangs: nobody listens at its address any more, or nothing was heard of
    /// it for longer than can be. False where that cannot be told. Completes within a bounded time, on any thread, and
    /// never fails.
    CompletableFuture<Boolean> isDead(int controllerId);

    /// A look showed who holds the office, as far as this controller knows. Called on the loop.
    ///
    /// @param controllerId -1 where nobody does
    /// @param term czxid of the holder's `/controller`, which differs for each term
    default void held(int controllerId, long term) {}

    /// Calls `suspected` on the loop whenever it is worth to ask [#isDead] at once.
    default void onSuspicion(Runnable suspected) {}
}
