package io.millrace.admin.partition;

import io.millrace.admin.resource.Links;
import io.millrace.admin.resource.ResourceMetadata;

/// @param earliestOffset of the first record kept
/// @param latestOffset of the next record that readers will see
record KafkaPartitionWithOffsets(
        String kind,
        ResourceMetadata metadata,
        String clusterId,
        String topicName,
        int partitionId,
        long earliestOffset,
        long latestOffset) {

    static KafkaPartitionWithOffsets of(String clusterId, String topic, int partition, long earliest, long latest,
            Links links) {
        return new KafkaPartitionWithOffsets("KafkaPartitionWithOffsets",
                links.metadata(clusterId, new Object[]{"topic", topic, "partition", partition}, "topics", topic,
                        "partitions", partition, "offset"),
                clusterId, topic, partition, earliest, latest);
    }
}
