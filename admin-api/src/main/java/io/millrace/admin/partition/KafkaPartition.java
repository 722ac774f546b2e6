package io.millrace.admin.partition;

import java.util.List;
import java.util.function.Predicate;

import io.millrace.admin.resource.Links;
import io.millrace.admin.resource.Related;
import io.millrace.admin.resource.ResourceMetadata;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.NodeImage;
import io.millrace.metadata.image.PartitionImage;
import org.jspecify.annotations.Nullable;

/// @param leader the replica that leads; null while there is none
/// @param offlineReplicas those on brokers that are not there
/// @param eligibleLeaders those in sync that could lead now
record KafkaPartition(
        String kind,
        ResourceMetadata metadata,
        String clusterId,
        String topicName,
        int partitionId,
        @Nullable Related leader,
        Related replicas,
        Related reassignment,
        int leaderEpoch,
        int partitionEpoch,
        List<Integer> isr,
        List<Integer> offlineReplicas,
        List<Integer> eligibleLeaders,
        int preferredLeader) {

    static KafkaPartition of(ClusterImage image, String topic, PartitionImage partition, Links links) {
        var clusterId = image.clusterId();
        int index = partition.partition();
        return new KafkaPartition("KafkaPartition",
                links.metadata(clusterId, new Object[]{"topic", topic, "partition", index}, "topics", topic,
                        "partitions",
                        index),
                clusterId, topic, index,
                partition.leader() < 0
                        ? null
                        : links.related(clusterId, "topics", topic, "partitions", index, "replicas", partition
                                .leader()),
                links.related(clusterId, "topics", topic, "partitions", index, "replicas"),
                links.related(clusterId, "topics", topic, "partitions", index, "reassignment"), partition.leaderEpoch(),
                partition.partitionEpoch(), partition.isr(), where(partition.replicas(), id -> !isAlive(image, id)),
                where(partition.isr(), id -> isAlive(image, id)), partition.replicas().getFirst());
    }

    private static boolean isAlive(ClusterImage image, int broker) {
        return image.broker(broker).filter(NodeImage::active).isPresent();
    }

    private static List<Integer> where(List<Integer> brokers, Predicate<Integer> which) {
        return brokers.stream().filter(which).toList();
    }
}
