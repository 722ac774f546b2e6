package io.millrace.service.subscription;

import java.util.concurrent.CompletableFuture;

import io.millrace.metadata.image.Changes;
import io.millrace.metadata.image.ClusterImage;

/// A part of the node that follows the image.
@FunctionalInterface
public interface ImageListener {

    /// Takes over a new image, on the subscription's loop; never blocks. The next listener is asked, and the controller
    /// told that the version is applied, only once what is returned completes; so it completes within a bounded time. A
    /// failure is logged and does not hold the others up.
    CompletableFuture<Void> apply(ClusterImage before, ClusterImage after, Changes changes);
}
