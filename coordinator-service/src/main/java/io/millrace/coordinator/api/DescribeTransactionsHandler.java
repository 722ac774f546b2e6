package io.millrace.coordinator.api;

import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;

import io.millrace.coordinator.shard.OwnedShards;
import io.millrace.coordinator.shard.TransactionShard;
import io.millrace.coordinator.transaction.Transaction;
import io.millrace.wire.api.ApiHandler;
import io.millrace.wire.api.RequestContext;
import io.millrace.wire.error.Failures;
import org.apache.kafka.common.message.DescribeTransactionsRequestData;
import org.apache.kafka.common.message.DescribeTransactionsResponseData;
import org.apache.kafka.common.message.DescribeTransactionsResponseData.TopicData;
import org.apache.kafka.common.message.DescribeTransactionsResponseData.TransactionState;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/// DescribeTransactions: each id for itself.
public final class DescribeTransactionsHandler
        implements
            ApiHandler<DescribeTransactionsRequestData, DescribeTransactionsResponseData> {
    private final OwnedShards<TransactionShard> shards;

    public DescribeTransactionsHandler(OwnedShards<TransactionShard> shards) {
        this.shards = shards;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.DESCRIBE_TRANSACTIONS;
    }

    @Override
    public CompletableFuture<DescribeTransactionsResponseData> handle(DescribeTransactionsRequestData request,
            RequestContext context) {
        var answers = request.transactionalIds().stream().map(this::describe).toList();
        return GroupIds.all(answers)
                .thenApply(states -> new DescribeTransactionsResponseData().setTransactionStates(states));
    }

    private CompletableFuture<TransactionState> describe(String id) {
        if (id.isEmpty()) {
            return CompletableFuture.completedFuture(refused(id, Errors.INVALID_REQUEST));
        }
        return shards.onKey(id, shard -> CompletableFuture.completedFuture(described(id, shard.find(id))))
                .exceptionally(failure -> refused(id, Failures.errorOf(failure)));
    }

    private static TransactionState refused(String id, Errors error) {
        return new TransactionState().setTransactionalId(id).setErrorCode(error.code());
    }

    private static TransactionState described(String id, @Nullable Transaction now) {
        if (now == null) {
            return refused(id, Errors.TRANSACTIONAL_ID_NOT_FOUND);
        }
        var described = new TransactionState().setTransactionalId(id).setTransactionState(now.state().label())
                .setTransactionTimeoutMs(now.stored().timeoutMillis())
                .setTransactionStartTimeMs(now.stored().startedMillis()).setProducerId(now.producerId())
                .setProducerEpoch(now.epoch());
        for (var partition : now.partitions()) {
            var topic = described.topics().find(partition.topic());
            if (topic == null) {
                topic = new TopicData().setTopic(partition.topic()).setPartitions(new ArrayList<>());
                described.topics().add(topic);
            }
            topic.partitions().add(partition.partition());
        }
        return described;
    }
}
