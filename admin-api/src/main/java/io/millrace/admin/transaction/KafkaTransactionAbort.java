package io.millrace.admin.transaction;

import java.util.List;

import io.millrace.admin.resource.ResourceMetadata;
import io.millrace.admin.upstream.Offsets.Found;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/// A transaction that was aborted, or that would be.
///
/// @param dryRun nothing was aborted
/// @param transactionalId null where only a partition was asked
/// @param partitions that it held back
record KafkaTransactionAbort(
        String kind,
        ResourceMetadata metadata,
        String clusterId,
        boolean dryRun,
        @Nullable String transactionalId,
        long producerId,
        int producerEpoch,
        List<Unblocked> partitions) {

    /// How far readers of committed records come.
    ///
    /// @param lastStableOffsetBefore null where the leader did not tell
    /// @param lastStableOffsetAfter the same; null where nothing was aborted
    record Unblocked(String topicName, int partitionId, @Nullable Long lastStableOffsetBefore,
            @Nullable Long lastStableOffsetAfter) {}

    /// @param after null where nothing was aborted
    static List<Unblocked> unblocked(List<TopicPartition> partitions, Found before, @Nullable Found after) {
        return partitions.stream().map(partition -> new Unblocked(partition.topic(), partition.partition(), before
                .offsets().get(partition), after == null ? null : after.offsets().get(partition))).toList();
    }
}
