package io.millrace.admin.partition;

import io.millrace.admin.resource.Links;
import io.millrace.admin.resource.Related;
import io.millrace.admin.resource.ResourceMetadata;
import io.millrace.metadata.image.PartitionImage;

/// One copy of a partition.
public record KafkaReplica(
        String kind,
        ResourceMetadata metadata,
        String clusterId,
        String topicName,
        int partitionId,
        int brokerId,
        boolean isLeader,
        boolean isInSync,
        Related broker) {

    /// @param brokerId one of the partition's replicas
    public static KafkaReplica of(String clusterId, String topic, PartitionImage partition, int brokerId, Links links) {
        int index = partition.partition();
        return new KafkaReplica("KafkaReplica",
                links.metadata(clusterId, new Object[]{"topic", topic, "partition", index, "replica", brokerId},
                        "topics",
                        topic, "partitions", index, "replicas", brokerId),
                clusterId, topic, index, brokerId, partition.leader() == brokerId, partition.isr().contains(brokerId),
                links.related(clusterId, "brokers", brokerId));
    }
}
