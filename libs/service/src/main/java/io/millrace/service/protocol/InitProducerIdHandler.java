package io.millrace.service.protocol;

import java.util.concurrent.CompletableFuture;

import io.millrace.wire.api.ApiHandler;
import io.millrace.wire.api.RequestContext;
import io.millrace.wire.error.Refused;
import org.apache.kafka.common.message.InitProducerIdRequestData;
import org.apache.kafka.common.message.InitProducerIdResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;

/// InitProducerId. Idempotent producers get a fresh id with epoch 0 at any node, whatever they had before; those with a
/// transactional id are for its coordinator.
final class InitProducerIdHandler implements ApiHandler<InitProducerIdRequestData, InitProducerIdResponseData> {
    private static final long NO_ID = -1;
    private static final short NO_EPOCH = -1;

    private final ProducerIds ids;
    private final TransactionalProducers transactional;

    InitProducerIdHandler(ProducerIds ids, TransactionalProducers transactional) {
        this.ids = ids;
        this.transactional = transactional;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.INIT_PRODUCER_ID;
    }

    @Override
    public CompletableFuture<InitProducerIdResponseData> handle(InitProducerIdRequestData request,
            RequestContext context) {
        check(request);
        if (request.transactionalId() != null) {
            return transactional.init(request, context);
        }
        return ids.next().thenApply(id -> new InitProducerIdResponseData().setProducerId(id).setProducerEpoch(
                (short) 0));
    }

    private static void check(InitProducerIdRequestData request) {
        if (request.transactionalId() != null && request.transactionalId().isEmpty()) {
            throw new Refused(Errors.INVALID_REQUEST, "The transactional id is empty");
        }
        if ((request.producerId() == NO_ID) != (request.producerEpoch() == NO_EPOCH)) {
            throw new Refused(Errors.INVALID_REQUEST, "A producer id and its epoch come together or not at all");
        }
    }
}
