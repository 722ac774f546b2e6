package io.millrace.admin.transaction;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.millrace.admin.resource.Links;
import io.millrace.admin.resource.Related;
import io.millrace.admin.resource.ResourceMetadata;
import io.millrace.admin.upstream.Transactions.Owned;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/// @param startedAt null before there was any transaction
/// @param partitions of the transaction; none once it is complete
/// @param coordinator the node that owns the id
record KafkaTransaction(
        String kind,
        ResourceMetadata metadata,
        String clusterId,
        String transactionalId,
        String state,
        long producerId,
        int producerEpoch,
        int timeoutMs,
        @Nullable Instant startedAt,
        List<Partition> partitions,
        Related coordinator) {

    record Partition(String topicName, int partitionId) {}

    static KafkaTransaction of(String clusterId, Owned owned, Links links) {
        var transaction = owned.transaction();
        var id = transaction.transactionalId();
        var partitions = new ArrayList<Partition>();
        transaction.topics().forEach(topic -> topic.partitions()
                .forEach(partition -> partitions.add(new Partition(topic.topic(), partition))));
        long started = transaction.transactionStartTimeMs();
        return new KafkaTransaction("KafkaTransaction",
                links.metadata(clusterId, new Object[]{"transaction", id}, "transactions", id), clusterId, id,
                state(transaction.transactionState()), transaction.producerId(), transaction.producerEpoch(),
                transaction.transactionTimeoutMs(), started < 0 ? null : Instant.ofEpochMilli(started), partitions,
                links.related(clusterId, "coordinators", owned.coordinator()));
    }

    /// Its partitions as upstream wants them.
    List<TopicPartition> topicPartitions() {
        return partitions.stream().map(one -> new TopicPartition(one.topicName, one.partitionId)).toList();
    }

    /// `PrepareCommit` is `PREPARE_COMMIT` here.
    private static String state(String kafka) {
        return kafka.replaceAll("(?<=[a-z])(?=[A-Z])", "_").toUpperCase(Locale.ROOT);
    }
}
