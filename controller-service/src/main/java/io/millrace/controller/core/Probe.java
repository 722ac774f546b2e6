package io.millrace.controller.core;

import java.util.concurrent.CompletableFuture;

import io.millrace.metadata.image.NodeImage;

/// Asks a node's machine whether the node is there.
@FunctionalInterface
public interface Probe {

    /// Whether nobody listens at the node's address any more: its process is gone. False where that cannot be told, such
    /// as for a machine that does not answer. Completes within a bounded time, on any thread, and never fails.
    CompletableFuture<Boolean> isDead(NodeImage node);
}
