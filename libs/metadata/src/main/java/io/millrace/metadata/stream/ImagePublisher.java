package io.millrace.metadata.stream;

import io.millrace.metadata.controller.ControllerAddress;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.record.Delta;
import org.jspecify.annotations.Nullable;

/// Brings images to the nodes that follow the stream. It begins on standby. Called by the controller's one thread.
public interface ImagePublisher {

    /// Serves streams from now on, beginning with `image`.
    void activate(ClusterImage image);

    /// Sends `delta` to all subscribers.
    ///
    /// @param after the image that it leads to
    /// @throws IllegalArgumentException where it does not follow on what was published before
    void publish(Delta delta, ClusterImage after);

    /// Ends all streams and sends whoever comes to the controller that is active.
    ///
    /// @param active null where it is not known
    void standBy(@Nullable ControllerAddress active);
}
