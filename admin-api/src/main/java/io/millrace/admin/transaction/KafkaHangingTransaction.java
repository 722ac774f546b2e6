package io.millrace.admin.transaction;

import java.time.Instant;

import io.millrace.admin.resource.Links;
import io.millrace.admin.resource.ResourceMetadata;
import io.millrace.admin.upstream.OpenTransactions.Open;
import org.jspecify.annotations.Nullable;

/// A transaction that holds back readers of a partition and that no coordinator knows.
///
/// @param openSince when its first record was written, as its client's clock says; null where nobody tells
/// @param silentSince when its last record was written, as its client's clock says
/// @param coordinatorEpoch of the producer's last marker; -1 for none
/// @param transactionStartOffset where it began in the partition
/// @param lastStableOffset up to where readers of committed records may read; null where the leader did not tell
record KafkaHangingTransaction(
        String kind,
        ResourceMetadata metadata,
        String clusterId,
        String topicName,
        int partitionId,
        long producerId,
        int producerEpoch,
        @Nullable Instant openSince,
        Instant silentSince,
        int coordinatorEpoch,
        long transactionStartOffset,
        @Nullable Long lastStableOffset) {

    static KafkaHangingTransaction of(String clusterId, Open hanging, @Nullable Instant openSince,
            @Nullable Long lastStableOffset, Links links) {
        var partition = hanging.partition();
        var producer = hanging.producer();
        return new KafkaHangingTransaction("KafkaHangingTransaction",
                links.metadata(clusterId, new Object[]{"topic", partition.topic(), "partition", partition.partition(),
                        "producer", producer.producerId()}, "topics", partition.topic(), "partitions",
                        partition.partition(), "producers"),
                clusterId, partition.topic(), partition.partition(), producer.producerId(), producer.producerEpoch(),
                openSince, Instant.ofEpochMilli(producer.lastTimestamp()), producer.coordinatorEpoch(),
                producer.currentTxnStartOffset(), lastStableOffset);
    }
}
