package io.millrace.admin.group;

import io.millrace.admin.resource.Links;
import io.millrace.admin.resource.ResourceMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/// How far a group is behind in one partition.
///
/// @param currentOffset committed
/// @param logEndOffset of the next record that readers will see; null where the leader could not be asked
/// @param lag records between the two, never negative; null like `logEndOffset`
/// @param lagSeconds age of the oldest record that is not read; 0 where all is read, null where it is not known
/// @param consumerId the member that reads the partition now; null while nobody does
record KafkaConsumerLag(
        String kind,
        ResourceMetadata metadata,
        String clusterId,
        String consumerGroupId,
        String topicName,
        int partitionId,
        @Nullable String consumerId,
        @Nullable String instanceId,
        @Nullable String clientId,
        long currentOffset,
        @Nullable Long logEndOffset,
        @Nullable Long lag,
        @Nullable Double lagSeconds) {

    static KafkaConsumerLag of(String clusterId, String group, TopicPartition partition, long committed,
            @Nullable Long end, @Nullable Double lagSeconds, @Nullable Reader reader, Links links) {
        var names = new Object[]{"consumer-group", group, "lag", partition.topic(), "partition", partition.partition()};
        return new KafkaConsumerLag("KafkaConsumerLag",
                links.metadata(clusterId, names, "consumer-groups", group, "lags", partition.topic(), "partitions",
                        partition.partition()),
                clusterId, group, partition.topic(), partition.partition(), reader == null ? null : reader.consumerId(),
                reader == null ? null : reader.instanceId(), reader == null ? null : reader.clientId(), committed, end,
                end == null ? null : Math.max(0, end - committed), lagSeconds);
    }

    /// The member that a partition is assigned to.
    record Reader(String consumerId, @Nullable String instanceId, String clientId) {}
}
