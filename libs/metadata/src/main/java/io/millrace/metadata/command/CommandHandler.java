package io.millrace.metadata.command;

import java.util.concurrent.CompletableFuture;

/// Carries out commands on the active controller.
@FunctionalInterface
public interface CommandHandler {

    /// Called on an event loop; never blocks. Fails with [CommandRefused], with [NotActive] where another controller is
    /// active and nothing was done, or with anything else, which is a bug.
    <R> CompletableFuture<R> handle(Command<R> command);
}
