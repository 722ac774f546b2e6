package io.millrace.metadata.stream;

import java.util.concurrent.CompletableFuture;

import io.millrace.metadata.image.Changes;
import io.millrace.metadata.image.ClusterImage;

/// Takes over the images of a stream, one at a time.
public interface StreamListener {

    /// Called on the stream's loop. The next image comes, and this one is acknowledged to the controller, only once what
    /// is returned completes. A failure is logged and counted and does not hold the stream up: the image is the node's
    /// all the same.
    CompletableFuture<Void> apply(ClusterImage before, ClusterImage after, Changes changes);

    /// The stream came up (its first image was applied) or went down. Called on the stream's loop.
    default void connected(boolean up) {}
}
