package io.millrace.admin.partition;

import java.util.List;

import io.millrace.admin.resource.Links;
import io.millrace.admin.resource.Related;
import io.millrace.admin.resource.ResourceMetadata;
import io.millrace.metadata.image.PartitionImage;
import org.jspecify.annotations.Nullable;

/// @param leader the replica that leads; null while there is none
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
        int preferredLeader) {

    static KafkaPartition of(String clusterId, String topic, PartitionImage partition, Links links) {
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
                partition.partitionEpoch(), partition.isr(), partition.replicas().getFirst());
    }
}
