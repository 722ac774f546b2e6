package io.millrace.service.protocol;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.ConfigResource;
import io.millrace.metadata.image.Endpoint;
import io.millrace.metadata.image.MetadataVersion;
import io.millrace.metadata.image.NodeImage;
import io.millrace.metadata.image.NodeState;
import io.millrace.metadata.image.PartitionImage;
import io.millrace.metadata.image.Role;
import io.millrace.metadata.image.ShardImage;
import io.millrace.metadata.image.ShardKind;
import io.millrace.metadata.image.TopicImage;

/// Hand-made images.
final class Clusters {
    static final String LISTENER = "PLAINTEXT";
    static final UUID ORDERS = new UUID(1, 1);

    private Clusters() {}

    /// Brokers 1 and 2, coordinator 1000, topic `orders` led by 1 and by 2.
    static ClusterImage usual() {
        return of(node(Role.BROKER, 1, NodeState.ACTIVE), node(Role.BROKER, 2, NodeState.ACTIVE),
                node(Role.COORDINATOR, 1000, NodeState.ACTIVE)).with(topic("orders", ORDERS, 1, 2));
    }

    static Builder of(NodeImage... nodes) {
        var image = ClusterImage.EMPTY.with("cluster-id").at(new MetadataVersion(1, 1));
        for (var node : nodes) {
            image = image.with(image.nodes().with(node));
        }
        return new Builder(image);
    }

    /// An image that grows.
    record Builder(ClusterImage image) {
        ClusterImage with(TopicImage topic) {
            return image.with(image.topics().with(topic));
        }
    }

    static ClusterImage with(ClusterImage image, TopicImage topic) {
        return image.with(image.topics().with(topic));
    }

    static ClusterImage with(ClusterImage image, ShardImage shard) {
        return image.with(ShardKind.GROUP, image.groupShards().with(shard));
    }

    static ClusterImage with(ClusterImage image, String topic, Map<String, String> config) {
        return image.with(image.configs().with(ConfigResource.topic(topic), config));
    }

    static NodeImage node(Role role, int id, NodeState state) {
        return new NodeImage(role, id, id * 10L, List.of(new Endpoint(LISTENER, "PLAINTEXT", "host-" + id, 9000 + id)),
                "rack-" + id, null, "", state);
    }

    /// One partition for each leader, held by that broker alone; -1 for one that has lost its only replica, broker 9.
    static TopicImage topic(String name, UUID id, int... leaders) {
        var partitions = new ArrayList<PartitionImage>();
        for (int i = 0; i < leaders.length; i++) {
            int holder = leaders[i] < 0 ? 9 : leaders[i];
            partitions.add(new PartitionImage(i, List.of(holder), List.of(holder), List.of(), List.of(), leaders[i], 3,
                    7));
        }
        return new TopicImage(name, id, partitions);
    }
}
