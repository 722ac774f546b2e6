package io.millrace.controller.election;

import java.util.concurrent.CompletableFuture;

/// Finds out whether the holder of the office is alive.
@FunctionalInterface
public interface Rivals {

    /// Whether nobody listens at that controller's address any more: its process is gone. False where that cannot be
    /// told. Completes within a bounded time, on any thread, and never fails.
    CompletableFuture<Boolean> isDead(int controllerId);
}
