package io.millrace.metadata.controller;

import java.util.concurrent.CompletableFuture;

/// Finds the active controller. Callable from any thread.
public interface ActiveController {

    /// Where the active controller is, as far as is known; fails with an [java.io.IOException] where there is none. Never
    /// takes longer than a bounded time.
    CompletableFuture<ControllerAddress> locate();

    /// Says that `address` did not answer as the active one, so that the next [#locate] looks anew.
    void forget(ControllerAddress address);

    /// Calls `changed`, on any thread, whenever another controller turned out to be the active one: the moment to try again.
    default void onChange(Runnable changed) {}
}
