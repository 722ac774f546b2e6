package io.millrace.controller.core;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.MetadataVersion;
import io.millrace.metadata.record.Delta;

/// Where decided images go. Called on the controller's loop.
public interface Publication {

    /// The first image of a term: nodes may follow from now on.
    void begin(ClusterImage image);

    /// The next image, and what led to it.
    void publish(ClusterImage after, Delta delta);

    /// Waits until every active node has applied `version`; one that is fenced or gone is not waited for.
    ///
    /// @return completes on the controller's loop with whether they have within `atMost`
    CompletableFuture<Boolean> applied(MetadataVersion version, Duration atMost);

    /// The term is over: streams end, and who waits is told no.
    void end();
}
