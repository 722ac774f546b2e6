package io.millrace.admin.partition;

import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

import io.millrace.admin.resource.Links;
import io.millrace.admin.resource.Related;
import io.millrace.admin.resource.ResourceMetadata;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.EligibleReplica;
import io.millrace.metadata.image.NodeImage;
import io.millrace.metadata.image.PartitionImage;
import org.jspecify.annotations.Nullable;

/// @param leader the replica that leads; null while there is none
/// @param offlineReplicas those on brokers that are not there
/// @param eligibleLeaders those that could lead now without a loss: in sync, or with all that is committed (KIP-966)
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
                eligible(image, partition), partition.replicas().getFirst());
    }

    private static List<Integer> eligible(ClusterImage image, PartitionImage partition) {
        var inSync = partition.isr().stream().filter(id -> isAlive(image, id));
        var others = partition.elr().stream().filter(replica -> image.broker(replica.broker()).filter(
                broker -> broker.active() && broker.life().equals(replica.life())).isPresent()).map(
                        EligibleReplica::broker);
        return Stream.concat(inSync, others).toList();
    }

    private static boolean isAlive(ClusterImage image, int broker) {
        return image.broker(broker).filter(NodeImage::active).isPresent();
    }

    private static List<Integer> where(List<Integer> brokers, Predicate<Integer> which) {
        return brokers.stream().filter(which).toList();
    }
}
