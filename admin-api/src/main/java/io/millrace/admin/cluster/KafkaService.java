package io.millrace.admin.cluster;

import java.util.List;

import io.millrace.admin.resource.Links;
import io.millrace.admin.resource.ResourceMetadata;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.NodeImage;
import org.jspecify.annotations.Nullable;

/// One registered process.
///
/// @param http where its health and metrics are; null until it has said so
record KafkaService(
        String kind,
        ResourceMetadata metadata,
        String clusterId,
        String type,
        int id,
        @Nullable String host,
        @Nullable Integer port,
        @Nullable String http,
        String state,
        String version) {

    static List<KafkaService> all(ClusterImage image, Links links) {
        return image.nodes().all().stream()
                .map(node -> of(image.clusterId(), node, links))
                .toList();
    }

    private static KafkaService of(String clusterId, NodeImage node, Links links) {
        var endpoint = node.endpoints().isEmpty() ? null : node.endpoints().getFirst();
        var type = node.role().name();
        return new KafkaService("KafkaService",
                links.metadata(clusterId, new Object[]{"service", type + "-" + node.id()}, "services"), clusterId, type,
                node.id(), endpoint == null ? null : endpoint.host(), endpoint == null ? null : endpoint.port(),
                node.http(), node.state().name(), node.softwareVersion());
    }
}
