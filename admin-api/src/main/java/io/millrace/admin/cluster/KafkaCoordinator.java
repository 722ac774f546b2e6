package io.millrace.admin.cluster;

import java.util.List;

import io.millrace.admin.resource.Links;
import io.millrace.admin.resource.Related;
import io.millrace.admin.resource.ResourceMetadata;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.NodeImage;
import io.millrace.metadata.image.ShardImage;
import org.jspecify.annotations.Nullable;

/// @param shards partitions of `__consumer_offsets` that it owns
record KafkaCoordinator(
        String kind,
        ResourceMetadata metadata,
        String clusterId,
        int coordinatorId,
        @Nullable String host,
        @Nullable Integer port,
        String state,
        long epoch,
        String version,
        List<Integer> shards,
        Related groups) {

    static KafkaCoordinator of(ClusterImage image, NodeImage node, Links links) {
        var endpoint = node.endpoints().isEmpty() ? null : node.endpoints().getFirst();
        return new KafkaCoordinator("KafkaCoordinator", links.metadata(image.clusterId(), new Object[]{"coordinator",
                node.id()}, "coordinators", node.id()), image.clusterId(), node.id(), endpoint == null
                        ? null
                        : endpoint.host(), endpoint == null ? null : endpoint.port(), node.state().name(), node.epoch(),
                node.softwareVersion(), image.groupShards().ownedBy(node.id()).stream().map(ShardImage::shard)
                        .toList(), links.related(image.clusterId(), "coordinators", node.id(), "groups"));
    }
}
