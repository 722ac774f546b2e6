package io.millrace.coordinator.api;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.millrace.coordinator.shard.OwnedShards;
import io.millrace.coordinator.shard.TransactionShard;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.wire.api.ApiHandler;
import io.millrace.wire.api.CoordinatorEpoch;
import io.millrace.wire.api.RequestContext;
import io.millrace.wire.error.Failures;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData.AddPartitionsToTxnTopicCollection;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData.AddPartitionsToTxnTransaction;
import org.apache.kafka.common.message.AddPartitionsToTxnResponseData;
import org.apache.kafka.common.message.AddPartitionsToTxnResponseData.AddPartitionsToTxnPartitionResult;
import org.apache.kafka.common.message.AddPartitionsToTxnResponseData.AddPartitionsToTxnResult;
import org.apache.kafka.common.message.AddPartitionsToTxnResponseData.AddPartitionsToTxnTopicResult;
import org.apache.kafka.common.message.AddPartitionsToTxnResponseData.AddPartitionsToTxnTopicResultCollection;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;

/// AddPartitionsToTxn: one transaction of a client up to version 3; from version 4 on several, of a broker that adds them
/// or only asks whether they were added. Of a transaction all partitions are added or none.
public final class AddPartitionsToTxnHandler
        implements
            ApiHandler<AddPartitionsToTxnRequestData, AddPartitionsToTxnResponseData> {
    private static final int FIRST_BATCHED = 4;

    private final OwnedShards<TransactionShard> shards;
    private final Supplier<ClusterImage> image;

    public AddPartitionsToTxnHandler(OwnedShards<TransactionShard> shards, Supplier<ClusterImage> image) {
        this.shards = shards;
        this.image = image;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.ADD_PARTITIONS_TO_TXN;
    }

    @Override
    public CompletableFuture<AddPartitionsToTxnResponseData> handle(AddPartitionsToTxnRequestData request,
            RequestContext context) {
        if (context.version() < FIRST_BATCHED) {
            var transaction = new AddPartitionsToTxnTransaction()
                    .setTransactionalId(TransactionalIds.required(request.v3AndBelowTransactionalId()))
                    .setProducerId(request.v3AndBelowProducerId()).setProducerEpoch(request.v3AndBelowProducerEpoch())
                    .setTopics(request.v3AndBelowTopics());
            return outcomes(transaction, context).thenApply(outcomes -> new AddPartitionsToTxnResponseData()
                    .setResultsByTopicV3AndBelow(results(outcomes.errors())));
        }
        var answers = request.transactions().stream().map(transaction -> outcomes(transaction, context)
                .thenApply(outcomes -> outcomes.result(transaction.transactionalId()))).toList();
        return GroupIds.all(answers).thenApply(results -> {
            var answer = new AddPartitionsToTxnResponseData();
            answer.resultsByTransaction().addAll(results);
            return answer;
        });
    }

    /// What is said of the partitions of one transaction.
    ///
    /// @param epoch of the shard that says it; [CoordinatorEpoch#NOT_TOLD] where none does
    private record Outcomes(Map<TopicPartition, Errors> errors, int epoch) {
        AddPartitionsToTxnResult result(String transactionalId) {
            var result = new AddPartitionsToTxnResult().setTransactionalId(transactionalId)
                    .setTopicResults(results(errors));
            return epoch == CoordinatorEpoch.NOT_TOLD ? result : CoordinatorEpoch.mark(result, epoch);
        }
    }

    private CompletableFuture<Outcomes> outcomes(AddPartitionsToTxnTransaction transaction,
            RequestContext context) {
        var partitions = partitions(transaction.topics());
        if (transaction.transactionalId().isEmpty()) {
            return CompletableFuture.completedFuture(each(partitions, _ -> Errors.INVALID_REQUEST));
        }
        var now = image.get();
        boolean client = context.version() < FIRST_BATCHED;
        var forbidden = partitions.stream().filter(partition -> isForbidden(partition.topic(), client)).collect(
                Collectors
                        .toSet());
        if (!forbidden.isEmpty()) {
            return CompletableFuture.completedFuture(each(partitions, partition -> forbidden.contains(partition)
                    ? Errors.TOPIC_AUTHORIZATION_FAILED
                    : Errors.OPERATION_NOT_ATTEMPTED));
        }
        var unknown = partitions.stream()
                .filter(partition -> now.partition(partition.topic(), partition.partition()).isEmpty())
                .collect(Collectors.toSet());
        if (!unknown.isEmpty()) {
            return CompletableFuture.completedFuture(each(partitions, partition -> unknown.contains(partition)
                    ? Errors.UNKNOWN_TOPIC_OR_PARTITION
                    : Errors.OPERATION_NOT_ATTEMPTED));
        }
        return decided(transaction, partitions, context).exceptionally(failure -> {
            var error = Failures.errorOf(failure);
            return each(partitions, _ -> error);
        });
    }

    /// Clients write to no internal topic, and nobody writes to that of the transactions themselves. Brokers add offsets of
    /// groups.
    private static boolean isForbidden(String topic, boolean client) {
        return topic.equals(Topic.TRANSACTION_STATE_TOPIC_NAME) || (client && Topic.isInternal(topic));
    }

    private CompletableFuture<Outcomes> decided(AddPartitionsToTxnTransaction transaction,
            Set<TopicPartition> partitions, RequestContext context) {
        var id = transaction.transactionalId();
        if (transaction.verifyOnly()) {
            return shards.onKey(id, shard -> shard.verify(id, transaction.producerId(), transaction.producerEpoch(),
                    partitions).thenApply(errors -> new Outcomes(errors, shard.epoch())));
        }
        short version = TransactionVersions.of(api(), context.version());
        return shards.onKey(id, shard -> shard.add(id, transaction.producerId(), transaction.producerEpoch(),
                partitions, version).thenApply(answer -> {
                    var told = TransactionVersions.told(api(), context.version(), answer.error());
                    return new Outcomes(each(partitions, _ -> told).errors(), shard.epoch());
                }));
    }

    private static Outcomes each(Set<TopicPartition> partitions, Function<TopicPartition, Errors> error) {
        var outcomes = new LinkedHashMap<TopicPartition, Errors>();
        partitions.forEach(partition -> outcomes.put(partition, error.apply(partition)));
        return new Outcomes(outcomes, CoordinatorEpoch.NOT_TOLD);
    }

    private static Set<TopicPartition> partitions(AddPartitionsToTxnTopicCollection topics) {
        var partitions = new LinkedHashSet<TopicPartition>();
        topics.forEach(topic -> topic.partitions()
                .forEach(partition -> partitions.add(new TopicPartition(topic.name(), partition))));
        return partitions;
    }

    private static AddPartitionsToTxnTopicResultCollection results(Map<TopicPartition, Errors> outcomes) {
        var topics = new AddPartitionsToTxnTopicResultCollection();
        outcomes.forEach((partition, error) -> {
            var topic = topics.find(partition.topic());
            if (topic == null) {
                topic = new AddPartitionsToTxnTopicResult().setName(partition.topic());
                topics.add(topic);
            }
            topic.resultsByPartition().add(new AddPartitionsToTxnPartitionResult()
                    .setPartitionIndex(partition.partition()).setPartitionErrorCode(error.code()));
        });
        return topics;
    }
}
