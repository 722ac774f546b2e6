package io.millrace.admin.group;

import java.time.Instant;

import io.millrace.admin.resource.Links;
import io.millrace.admin.resource.ResourceMetadata;
import io.millrace.admin.upstream.Groups.Commit;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/// What a group committed for a partition.
///
/// @param leaderEpoch of the last record read; null where the client did not say
/// @param committedMetadata the client's own text, empty where it gave none
/// @param committedAt null where it is not known
record KafkaGroupOffset(String kind, ResourceMetadata metadata, String clusterId, String consumerGroupId,
        String topicName, int partitionId, long committedOffset, @Nullable Integer leaderEpoch,
        String committedMetadata, @Nullable Instant committedAt) {

    static KafkaGroupOffset of(String clusterId, String groupId, TopicPartition partition, Commit commit, Links links) {
        return new KafkaGroupOffset("KafkaGroupOffset", links.metadata(clusterId, new Object[]{"consumer-group",
                groupId, "offset", partition.topic(), "partition", partition.partition()}, "consumer-groups", groupId,
                "offsets", partition.topic(), "partitions", partition.partition()), clusterId, groupId, partition
                        .topic(), partition.partition(), commit.offset(), commit.leaderEpoch(), commit.metadata(),
                commit.at());
    }
}
