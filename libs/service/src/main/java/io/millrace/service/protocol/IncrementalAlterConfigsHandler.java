package io.millrace.service.protocol;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import io.millrace.metadata.command.AlterConfigs.OpType;
import io.millrace.service.config.NodeLoggers;
import io.millrace.service.config.SettingProblem;
import io.millrace.service.protocol.ConfigChanges.Asked;
import io.millrace.service.protocol.ConfigForwarding.AskedResource;
import io.millrace.wire.api.ApiHandler;
import io.millrace.wire.api.RequestContext;
import io.millrace.wire.error.Refused;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterConfigsResource;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterableConfig;
import org.apache.kafka.common.message.IncrementalAlterConfigsResponseData;
import org.apache.kafka.common.message.IncrementalAlterConfigsResponseData.AlterConfigsResourceResponse;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;
/// IncrementalAlterConfigs of topics, of this node and of its loggers: what is not named stays.
final class IncrementalAlterConfigsHandler
        implements
            ApiHandler<IncrementalAlterConfigsRequestData, IncrementalAlterConfigsResponseData> {
    private static final byte LOGGERS = ConfigResource.Type.BROKER_LOGGER.id();

    private final ConfigForwarding configs;
    private final NodeLoggers loggers;
    private final int self;

    IncrementalAlterConfigsHandler(ConfigForwarding configs, NodeLoggers loggers, int self) {
        this.configs = configs;
        this.loggers = loggers;
        this.self = self;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.INCREMENTAL_ALTER_CONFIGS;
    }

    @Override
    public CompletableFuture<IncrementalAlterConfigsResponseData> handle(IncrementalAlterConfigsRequestData request,
            RequestContext context) {
        var here = request.resources().stream().filter(resource -> resource.resourceType() == LOGGERS)
                .map(resource -> alterLoggers(resource, request.validateOnly()))
                .toList();
        var asked = request.resources().stream()
                .filter(resource -> resource.resourceType() != LOGGERS)
                .map(resource -> new AskedResource(resource.resourceType(), resource.resourceName(),
                        resource.configs().stream()
                                .map(change -> new Asked(change.name(), change.value(), type(change)))
                                .toList()))
                .toList();
        return configs.alter(asked, request.validateOnly(), false)
                .thenApply(told -> new IncrementalAlterConfigsResponseData().setResponses(Stream.concat(told.stream()
                        .map(one -> new AlterConfigsResourceResponse().setResourceType(one.type())
                                .setResourceName(one.name()).setErrorCode(one.error().code())
                                .setErrorMessage(one.message())), here.stream())
                        .toList()));
    }

    /// Levels are this process's own: nobody else is asked. All of them, or none.
    private AlterConfigsResourceResponse alterLoggers(AlterConfigsResource resource, boolean validateOnly) {
        var response = new AlterConfigsResourceResponse().setResourceType(LOGGERS).setResourceName(resource
                .resourceName());
        if (!resource.resourceName().equals(Integer.toString(self))) {
            return response.setErrorCode(Errors.INVALID_REQUEST.code()).setErrorMessage(
                    "Unexpected broker id, expected "
                            + self + ", but received " + resource.resourceName());
        }
        for (var change : resource.configs()) {
            var problem = problem(change);
            if (problem.isPresent()) {
                return response.setErrorCode(problem.get().error().code()).setErrorMessage(problem.get().message());
            }
        }
        if (!validateOnly) {
            resource.configs().forEach(change -> loggers.set(change.name(), level(change)));
        }
        return response;
    }

    private Optional<SettingProblem> problem(AlterableConfig change) {
        return switch (type(change)) {
            case SET -> change.value() == null
                    ? Optional.of(new SettingProblem(change.name(), Errors.INVALID_REQUEST,
                            "Null value not supported for : " + change.name()))
                    : loggers.problem(change.name(), change.value());
            case DELETE -> loggers.problem(change.name(), null);
            case APPEND, SUBTRACT -> Optional.of(new SettingProblem(change.name(), Errors.INVALID_REQUEST, type(change)
                    + " operation is not allowed for the BROKER_LOGGER resource"));
        };
    }

    private static @Nullable String level(AlterableConfig change) {
        return type(change) == OpType.DELETE ? null : change.value();
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
