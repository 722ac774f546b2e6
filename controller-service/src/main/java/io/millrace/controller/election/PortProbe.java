package io.millrace.controller.election;

import java.util.concurrent.CompletableFuture;

/// Asks a machine whether anybody listens at a port.
@FunctionalInterface
public interface PortProbe {

    /// Whether a connection to that address is refused. False where there is no answer, or no such host. Callable from any
    /// thread; never fails; completes within a bounded time, on any thread.
    CompletableFuture<Boolean> refuses(String host, int port);
}
