package io.millrace.coordinator.marker;

import java.util.concurrent.CompletableFuture;

/// Writes the markers of transactions. Callable from any thread.
@FunctionalInterface
public interface Markers {

    /// Completes, on any thread, once each partition of the transaction has its marker or is gone; that takes as long as
    /// it takes. Fails with [io.millrace.wire.error.Refused] and TRANSACTION_COORDINATOR_FENCED where a later owner of the
    /// shard has written one. Once the future is cancelled nothing more is sent.
    CompletableFuture<Void> write(EndedTransaction transaction);
}
