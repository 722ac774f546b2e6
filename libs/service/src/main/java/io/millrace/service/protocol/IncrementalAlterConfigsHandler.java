package io.millrace.service.protocol;

import java.util.concurrent.CompletableFuture;

import io.millrace.metadata.command.AlterConfigs.OpType;
import io.millrace.service.protocol.ConfigChanges.Asked;
import io.millrace.service.protocol.ConfigForwarding.AskedResource;
import io.millrace.wire.api.ApiHandler;
import io.millrace.wire.api.RequestContext;
import io.millrace.wire.error.Refused;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterableConfig;
import org.apache.kafka.common.message.IncrementalAlterConfigsResponseData;
import org.apache.kafka.common.message.IncrementalAlterConfigsResponseData.AlterConfigsResourceResponse;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
/// IncrementalAlterConfigs of topics and of this node: what is not named stays.
final class IncrementalAlterConfigsHandler
        implements
            ApiHandler<IncrementalAlterConfigsRequestData, IncrementalAlterConfigsResponseData> {
    private final ConfigForwarding configs;

    IncrementalAlterConfigsHandler(ConfigForwarding configs) {
        this.configs = configs;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.INCREMENTAL_ALTER_CONFIGS;
    }

    @Override
    public CompletableFuture<IncrementalAlterConfigsResponseData> handle(IncrementalAlterConfigsRequestData request,
            RequestContext context) {
        var asked = request.resources().stream()
                .map(resource -> new AskedResource(resource.resourceType(), resource.resourceName(),
                        resource.configs().stream()
                                .map(change -> new Asked(change.name(), change.value(), type(change)))
                                .toList()))
                .toList();
        return configs.alter(asked, request.validateOnly(), false)
                .thenApply(told -> new IncrementalAlterConfigsResponseData().setResponses(told.stream()
                        .map(one -> new AlterConfigsResourceResponse().setResourceType(one.type())
                                .setResourceName(one.name()).setErrorCode(one.error().code())
                                .setErrorMessage(one.message()))
                        .toList()));
    }

    /// A number that means nothing is the whole request's fault: no client library sends one.
    private static OpType type(AlterableConfig change) {
        return switch (change.configOperation()) {
            case 0 -> OpType.SET;
            case 1 -> OpType.DELETE;
            case 2 -> OpType.APPEND;
            case 3 -> OpType.SUBTRACT;
            default -> throw new Refused(Errors.INVALID_REQUEST, "Unknown operation type " + change.configOperation());
        };
    }
}
