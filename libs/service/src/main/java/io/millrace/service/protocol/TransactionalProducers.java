package io.millrace.service.protocol;

import java.util.concurrent.CompletableFuture;

import io.millrace.wire.api.RequestContext;
import org.apache.kafka.common.message.InitProducerIdRequestData;
import org.apache.kafka.common.message.InitProducerIdResponseData;

/// Whoever gives ids to producers with a transactional id.
@FunctionalInterface
public interface TransactionalProducers {

    /// As [io.millrace.wire.api.ApiHandler#handle].
    ///
    /// @param request with a transactional id that is not empty, and a producer id and epoch or neither
    CompletableFuture<InitProducerIdResponseData> init(InitProducerIdRequestData request, RequestContext context);
}
