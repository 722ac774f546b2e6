package io.millrace.admin.transaction;

import java.time.Instant;

import io.millrace.admin.resource.Links;
import io.millrace.admin.resource.ResourceMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.DescribeProducersResponseData.ProducerState;
import org.jspecify.annotations.Nullable;

/// @param coordinatorEpoch of the last marker; -1 for none
/// @param transactionStartOffset where its open transaction began; null for none
record KafkaProducer(
        String kind,
        ResourceMetadata metadata,
        String clusterId,
        String topicName,
        int partitionId,
        long producerId,
        int producerEpoch,
        int lastSequence,
        Instant lastTimestamp,
        int coordinatorEpoch,
        @Nullable Long transactionStartOffset) {

    static KafkaProducer of(String clusterId, TopicPartition partition, ProducerState producer, Links links) {
        long start = producer.currentTxnStartOffset();
        return new KafkaProducer("KafkaProducer",
                links.metadata(clusterId, new Object[]{"topic", partition.topic(), "partition", partition.partition(),
                        "producer", producer.producerId()}, "topics", partition.topic(), "partitions",
                        partition.partition(), "producers"),
                clusterId, partition.topic(), partition.partition(), producer.producerId(), producer.producerEpoch(),
                producer.lastSequence(), Instant.ofEpochMilli(producer.lastTimestamp()), producer.coordinatorEpoch(),
                start < 0 ? null : start);
    }
}
