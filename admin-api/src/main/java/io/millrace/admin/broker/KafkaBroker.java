package io.millrace.admin.broker;

import io.millrace.admin.resource.Links;
import io.millrace.admin.resource.Related;
import io.millrace.admin.resource.ResourceMetadata;
import io.millrace.metadata.image.NodeImage;
import org.jspecify.annotations.Nullable;

/// @param epoch of this run of the broker: another one each time it registers
record KafkaBroker(
        String kind,
        ResourceMetadata metadata,
        String clusterId,
        int brokerId,
        String host,
        int port,
        @Nullable String rack,
        Related configs,
        Related partitionReplicas,
        String state,
        long epoch,
        String version) {

    static KafkaBroker of(String clusterId, NodeImage node, Links links) {
        var endpoint = node.endpoints().getFirst();
        return new KafkaBroker("KafkaBroker",
                links.metadata(clusterId, new Object[]{"broker", node.id()}, "brokers", node.id()), clusterId, node
                        .id(),
                endpoint.host(), endpoint.port(), node.rack(),
                links.related(clusterId, "brokers", node.id(), "configs"),
                links.related(clusterId, "brokers", node.id(), "partition-replicas"), node.state().name(), node.epoch(),
                node.softwareVersion());
    }
}
