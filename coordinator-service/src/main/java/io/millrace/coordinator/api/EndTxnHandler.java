package io.millrace.coordinator.api;

import java.util.concurrent.CompletableFuture;

import io.millrace.coordinator.shard.OwnedShards;
import io.millrace.coordinator.shard.TransactionShard;
import io.millrace.coordinator.transaction.Transaction;
import io.millrace.wire.api.ApiHandler;
import io.millrace.wire.api.RequestContext;
import org.apache.kafka.common.message.EndTxnRequestData;
import org.apache.kafka.common.message.EndTxnResponseData;
import org.apache.kafka.common.protocol.ApiKeys;

/// EndTxn: answered once the end is decided for good. From version 5 on the producer gets the epoch of its next
/// transaction with the answer.
public final class EndTxnHandler implements ApiHandler<EndTxnRequestData, EndTxnResponseData> {
    private final OwnedShards<TransactionShard> shards;

    public EndTxnHandler(OwnedShards<TransactionShard> shards) {
        this.shards = shards;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.END_TXN;
    }

    @Override
    public CompletableFuture<EndTxnResponseData> handle(EndTxnRequestData request, RequestContext context) {
        var id = TransactionalIds.required(request.transactionalId());
        short version = TransactionVersions.of(api(), context.version());
        return shards.onKey(id, shard -> shard.end(id, request.producerId(), request.producerEpoch(),
                request.committed(), version)).thenApply(answer -> {
                    var response = new EndTxnResponseData().setErrorCode(
                            TransactionVersions.told(api(), context.version(), answer.error()).code());
                    return version >= Transaction.EPOCH_BUMPS
                            ? response.setProducerId(answer.producerId()).setProducerEpoch(answer.epoch())
                            : response;
                });
    }
}
