package io.millrace.coordinator.api;

import java.util.concurrent.CompletableFuture;

import io.millrace.coordinator.shard.OwnedShards;
import io.millrace.coordinator.shard.TransactionShard;
import io.millrace.service.protocol.TransactionalProducers;
import io.millrace.wire.api.RequestContext;
import io.millrace.wire.error.Refused;
import org.apache.kafka.common.message.InitProducerIdRequestData;
import org.apache.kafka.common.message.InitProducerIdResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;

/// InitProducerId with a transactional id.
public final class TransactionalInit implements TransactionalProducers {
    private final OwnedShards<TransactionShard> shards;

    public TransactionalInit(OwnedShards<TransactionShard> shards) {
        this.shards = shards;
    }

    @Override
    public CompletableFuture<InitProducerIdResponseData> init(InitProducerIdRequestData request,
            RequestContext context) {
        var id = TransactionalIds.required(request.transactionalId());
        if (request.enable2Pc() || request.keepPreparedTxn()) {
            throw new Refused(Errors.UNSUPPORTED_VERSION, "two-phase commit is not served");
        }
        return shards.onKey(id, shard -> shard.init(id, request.transactionTimeoutMs(), request.producerId(),
                request.producerEpoch())).thenApply(answer -> new InitProducerIdResponseData()
                        .setErrorCode(TransactionVersions.told(ApiKeys.INIT_PRODUCER_ID, context.version(),
                                answer.error()).code())
                        .setProducerId(answer.producerId()).setProducerEpoch(answer.epoch()));
    }
}
