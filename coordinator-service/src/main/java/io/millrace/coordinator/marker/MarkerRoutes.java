package io.millrace.coordinator.marker;

import java.util.Optional;
import java.util.function.Supplier;

import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.NodeImage;
import io.millrace.metadata.image.ShardImage;
import io.millrace.metadata.image.ShardKind;
import io.millrace.metadata.image.TopicImage;
import io.millrace.wire.client.NodeAddress;
import org.apache.kafka.common.TopicPartition;

/// Who appends the marker of a partition, by the newest image.
final class MarkerRoutes {
    private final Supplier<ClusterImage> images;
    private final String listener;

    /// @param listener of brokers and coordinators, by its name
    MarkerRoutes(Supplier<ClusterImage> images, String listener) {
        this.images = images;
        this.listener = listener;
    }

    /// Where a marker goes.
    sealed interface Route {
        /// To that node.
        record To(NodeAddress node) implements Route {}

        /// Nobody can take it now.
        record Nobody() implements Route {}

        /// Nobody will ever take it: the topic is deleted, or was made anew with fewer partitions.
        record Gone() implements Route {}
    }

    Route of(TopicPartition partition) {
        var image = images.get();
        var topic = image.topic(partition.topic());
        if (topic.isEmpty() || lacks(topic.get(), partition.partition())) {
            return new Route.Gone();
        }
        var node = ShardKind.ofTopic(partition.topic()).filter(kind -> kind == ShardKind.GROUP).isPresent()
                ? image.groupShards().shard(partition.partition()).map(ShardImage::owner).flatMap(image::coordinator)
                : leader(image, topic.get(), partition.partition());
        return node.flatMap(found -> found.endpoint(listener))
                .<Route>map(endpoint -> new Route.To(new NodeAddress(endpoint.host(), endpoint.port())))
                .orElseGet(Route.Nobody::new);
    }

    /// A topic that has no partition at all is still being made.
    private static boolean lacks(TopicImage topic, int partition) {
        return !topic.partitions().isEmpty() && topic.partition(partition).isEmpty();
    }

    private static Optional<NodeImage> leader(ClusterImage image, TopicImage topic, int partition) {
        return topic.partition(partition).flatMap(found -> image.broker(found.leader()));
    }
}
