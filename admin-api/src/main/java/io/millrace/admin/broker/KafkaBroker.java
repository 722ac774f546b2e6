package io.millrace.admin.broker;

import java.util.List;
import java.util.function.Predicate;

import io.millrace.admin.resource.Links;
import io.millrace.admin.resource.Related;
import io.millrace.admin.resource.ResourceMetadata;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.NodeImage;
import io.millrace.metadata.image.PartitionImage;
import org.jspecify.annotations.Nullable;

/// @param leaderCount partitions that it leads
/// @param replicaCount partitions that it holds
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
        String version,
        List<Listener> listeners,
        int leaderCount,
        int replicaCount) {

    record Listener(String name, String securityProtocol, String host, int port) {}

    static KafkaBroker of(ClusterImage image, NodeImage node, Links links) {
        var clusterId = image.clusterId();
        var endpoint = node.endpoints().getFirst();
        return new KafkaBroker("KafkaBroker",
                links.metadata(clusterId, new Object[]{"broker", node.id()}, "brokers", node.id()), clusterId, node
                        .id(),
                endpoint.host(), endpoint.port(), node.rack(),
                links.related(clusterId, "brokers", node.id(), "configs"),
                links.related(clusterId, "brokers", node.id(), "partition-replicas"), node.state().name(), node.epoch(),
                node.softwareVersion(), node.endpoints().stream().map(one -> new Listener(one.listener(), one
                        .securityProtocol(), one.host(), one.port())).toList(), count(image, partition -> partition
                                .leader() == node.id()), count(image, partition -> partition.isReplica(node.id())));
    }

    private static int count(ClusterImage image, Predicate<PartitionImage> which) {
        return (int) image.topics().all().stream().flatMap(topic -> topic.partitions().stream()).filter(which).count();
    }
}
