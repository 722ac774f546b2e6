package io.millrace.service.protocol;

import java.util.concurrent.CompletableFuture;

import io.millrace.metadata.command.AlterConfigs.OpType;
import io.millrace.service.protocol.ConfigChanges.Asked;
import io.millrace.service.protocol.ConfigForwarding.AskedResource;
import io.millrace.wire.api.ApiHandler;
import io.millrace.wire.api.RequestContext;
import org.apache.kafka.common.message.AlterConfigsRequestData;
import org.apache.kafka.common.message.AlterConfigsResponseData;
import org.apache.kafka.common.message.AlterConfigsResponseData.AlterConfigsResourceResponse;
import org.apache.kafka.common.protocol.ApiKeys;

/// AlterConfigs of topics and of this node, the older form: what is not named is reset. librdkafka and KafkaJS still send it.
final class AlterConfigsHandler implements ApiHandler<AlterConfigsRequestData, AlterConfigsResponseData> {
    private final ConfigForwarding configs;

    AlterConfigsHandler(ConfigForwarding configs) {
        this.configs = configs;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.ALTER_CONFIGS;
    }

    @Override
    public CompletableFuture<AlterConfigsResponseData> handle(AlterConfigsRequestData request,
            RequestContext context) {
        var asked = request.resources().stream()
                .map(resource -> new AskedResource(resource.resourceType(), resource.resourceName(),
                        resource.configs().stream().map(config -> new Asked(config.name(), config.value(), OpType.SET))
                                .toList()))
                .toList();
        return configs.alter(asked, request.validateOnly(), true)
                .thenApply(told -> new AlterConfigsResponseData().setResponses(told.stream()
                        .map(one -> new AlterConfigsResourceResponse().setResourceType(one.type())
                                .setResourceName(one.name()).setErrorCode(one.error().code())
                                .setErrorMessage(one.message()))
                        .toList()));
    }
}
