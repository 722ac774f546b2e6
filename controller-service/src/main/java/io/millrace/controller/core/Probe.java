package io.millrace.controller.core;

import java.util.concurrent.CompletableFuture;

import io.millrace.metadata.image.NodeImage;

/// Asks whether a node is there that has lost its stream.
@FunctionalInterface
public interface Probe {

    /// Whether nobody answers at the node's address any more: its process is gone or hangs, or its machine does. False
    /// where that cannot be told. Completes within a bounded time, on any thread, and never fails.
    CompletableFuture<Boolean> isDead(NodeImage node);
}
