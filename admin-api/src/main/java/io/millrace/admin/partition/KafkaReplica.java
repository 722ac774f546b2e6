package io.millrace.admin.partition;

import io.millrace.admin.resource.Links;
import io.millrace.admin.resource.Related;
import io.millrace.admin.resource.ResourceMetadata;
import io.millrace.admin.upstream.ReplicaFacts;
import io.millrace.metadata.image.PartitionImage;
import org.jspecify.annotations.Nullable;

/// One copy of a partition. What only its leader knows is null where nobody asked it or it did not answer.
///
/// @param logEndOffset of the next record that it will have
/// @param lagMessages how many records of the leader it has yet to fetch
/// @param lastCaughtUpMs when it last had all of them, in milliseconds since 1970; null for the leader itself
public record KafkaReplica(
        String kind,
        ResourceMetadata metadata,
        String clusterId,
        String topicName,
        int partitionId,
        int brokerId,
        boolean isLeader,
        boolean isInSync,
        @Nullable Long logEndOffset,
        @Nullable Long lagMessages,
        @Nullable Long lastCaughtUpMs,
        Related broker) {

    /// @param brokerId one of the partition's replicas
    public static KafkaReplica of(String clusterId, String topic, PartitionImage partition, int brokerId, Links links) {
        return of(clusterId, topic, partition, brokerId, null, links);
    }

    /// @param known what the leader told of it; null where it told nothing
    static KafkaReplica of(String clusterId, String topic, PartitionImage partition, int brokerId,
            ReplicaFacts.@Nullable Fact known, Links links) {
        int index = partition.partition();
        return new KafkaReplica("KafkaReplica",
                links.metadata(clusterId, new Object[]{"topic", topic, "partition", index, "replica", brokerId},
                        "topics",
                        topic, "partitions", index, "replicas", brokerId),
                clusterId, topic, index, brokerId, partition.leader() == brokerId, partition.isr().contains(brokerId),
                known == null ? null : known.logEndOffset(), known == null ? null : known.lagMessages(),
                known == null ? null : known.lastCaughtUpMillis(),
                links.related(clusterId, "brokers", brokerId));
    }
}
