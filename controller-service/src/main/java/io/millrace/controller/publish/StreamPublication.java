package io.millrace.controller.publish;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import io.millrace.controller.core.Publication;
import io.millrace.metadata.controller.ControllerAddress;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.MetadataVersion;
import io.millrace.metadata.record.Delta;
import io.millrace.metadata.stream.ImagePublisher;
import org.jspecify.annotations.Nullable;

/// Publishes over the metadata stream.
public final class StreamPublication implements Publication {
    private final ImagePublisher publisher;
    private final Subscribers subscribers;
    private final Supplier<@Nullable ControllerAddress> active;

    /// @param active where callers are sent once this controller's term is over; null where that is not known
    public StreamPublication(ImagePublisher publisher, Subscribers subscribers,
            Supplier<@Nullable ControllerAddress> active) {
        this.publisher = publisher;
        this.subscribers = subscribers;
        this.active = active;
    }

    @Override
    public void begin(ClusterImage image) {
        subscribers.published(image);
        publisher.activate(image);
    }

    @Override
    public void publish(ClusterImage after, Delta delta) {
        subscribers.published(after);
        publisher.publish(delta, after);
    }

    @Override
    public CompletableFuture<Boolean> applied(MetadataVersion version, Duration atMost) {
        return subscribers.await(version, atMost);
    }

    @Override
    public void end() {
        publisher.standBy(active.get());
        subscribers.end();
    }
}
