package io.millrace.broker.transaction;

import java.util.concurrent.CompletableFuture;

import io.millrace.broker.partition.PartitionFailures;
import io.millrace.broker.partition.PartitionRegistry;
import io.millrace.log.producer.ProducerSummary;
import io.millrace.wire.api.ApiHandler;
import io.millrace.wire.api.RequestContext;
import io.millrace.wire.error.Refused;
import org.apache.kafka.common.message.DescribeProducersRequestData;
import org.apache.kafka.common.message.DescribeProducersResponseData;
import org.apache.kafka.common.message.DescribeProducersResponseData.PartitionResponse;
import org.apache.kafka.common.message.DescribeProducersResponseData.ProducerState;
import org.apache.kafka.common.message.DescribeProducersResponseData.TopicResponse;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;

/// DescribeProducers: who writes to the partitions that this broker has replicas of, and whose transactions are open there. A
/// follower tells what it knows, since tools ask a broker for all of its partitions.
public final class DescribeProducersHandler
        implements
            ApiHandler<DescribeProducersRequestData, DescribeProducersResponseData> {
    private final PartitionRegistry partitions;

    public DescribeProducersHandler(PartitionRegistry partitions) {
        this.partitions = partitions;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.DESCRIBE_PRODUCERS;
    }

    @Override
    public CompletableFuture<DescribeProducersResponseData> handle(DescribeProducersRequestData request,
            RequestContext context) {
        var response = new DescribeProducersResponseData();
        for (var topic : request.topics()) {
            var told = new TopicResponse().setName(topic.name());
            response.topics().add(told);
            topic.partitionIndexes().forEach(partition -> told.partitions().add(describe(topic.name(), partition)));
        }
        return CompletableFuture.completedFuture(response);
    }

    private PartitionResponse describe(String topic, int partition) {
        var part = new PartitionResponse().setPartitionIndex(partition);
        try {
            var log = partitions.find(topic, partition).log();
            if (log == null) {
                throw new Refused(Errors.KAFKA_STORAGE_ERROR, "topic=%s partition=%d".formatted(topic, partition));
            }
            return part.setActiveProducers(log.activeProducers()
                    .stream()
                    .map(DescribeProducersHandler::state)
                    .toList());
        } catch (RuntimeException failure) {
            return part.setErrorCode(PartitionFailures.errorOf(failure, "describe producers", topic, partition).code())
                    .setErrorMessage(PartitionFailures.messageOf(failure));
        }
    }

    private static ProducerState state(ProducerSummary producer) {
        return new ProducerState().setProducerId(producer.producerId())
                .setProducerEpoch(producer.producerEpoch())
                .setLastSequence(producer.lastSequence())
                .setLastTimestamp(producer.lastTimestamp())
                .setCoordinatorEpoch(producer.coordinatorEpoch())
                .setCurrentTxnStartOffset(producer.currentTransactionStartOffset());
    }
}
