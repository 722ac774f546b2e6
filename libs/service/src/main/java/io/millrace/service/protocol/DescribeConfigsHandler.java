package io.millrace.service.protocol;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.ConfigType;
import io.millrace.service.config.ConfigEntry;
import io.millrace.service.config.GroupSettings;
import io.millrace.service.config.NodeLoggers;
import io.millrace.service.config.ServerSettings;
import io.millrace.service.config.TopicSettings;
import io.millrace.wire.api.ApiHandler;
import io.millrace.wire.api.RequestContext;
import io.millrace.wire.error.Refused;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.DescribeConfigsRequestData;
import org.apache.kafka.common.message.DescribeConfigsRequestData.DescribeConfigsResource;
import org.apache.kafka.common.message.DescribeConfigsResponseData;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsResourceResult;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsResult;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsSynonym;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/// DescribeConfigs of topics, of the node that is asked, and of its loggers. One bad resource does not harm its neighbours.
final class DescribeConfigsHandler implements ApiHandler<DescribeConfigsRequestData, DescribeConfigsResponseData> {
    private final Supplier<ClusterImage> images;
    private final Supplier<ServerSettings> settings;
    private final NodeLoggers loggers;
    private final int self;

    DescribeConfigsHandler(Supplier<ClusterImage> images, Supplier<ServerSettings> settings, NodeLoggers loggers,
            int self) {
        this.images = images;
        this.settings = settings;
        this.loggers = loggers;
        this.self = self;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.DESCRIBE_CONFIGS;
    }

    @Override
    public CompletableFuture<DescribeConfigsResponseData> handle(DescribeConfigsRequestData request,
            RequestContext context) {
        var results = new ArrayList<DescribeConfigsResult>(request.resources().size());
        for (var resource : request.resources()) {
            results.add(result(resource, request));
        }
        return CompletableFuture.completedFuture(new DescribeConfigsResponseData().setResults(results));
    }

    private DescribeConfigsResult result(DescribeConfigsResource resource, DescribeConfigsRequestData request) {
        var result = new DescribeConfigsResult().setResourceType(resource.resourceType())
                .setResourceName(resource.resourceName());
        try {
            return result.setConfigs(entries(resource).stream().filter(entry -> isAsked(resource, entry))
                    .map(entry -> told(entry, request)).toList());
        } catch (Refused refused) {
            return result.setErrorCode(refused.error().code()).setErrorMessage(refused.getMessage());
        }
    }

    private List<ConfigEntry> entries(DescribeConfigsResource resource) {
        return switch (ConfigResource.Type.forId(resource.resourceType())) {
            case TOPIC -> ofTopic(resource.resourceName());
            case BROKER -> ofNode(resource.resourceName());
            case GROUP -> ofGroup(resource.resourceName());
            case BROKER_LOGGER -> {
                checkSelf(resource.resourceName());
                yield loggers.describe();
            }
            case ConfigResource.Type other -> throw new Refused(Errors.INVALID_REQUEST, "Unsupported resource type: "
                    + other);
        };
    }

    private List<ConfigEntry> ofTopic(String name) {
        TopicNames.problem(name).ifPresent(problem -> {
            throw new Refused(Errors.INVALID_TOPIC_EXCEPTION, problem);
        });
        var image = images.get();
        if (image.topic(name).isEmpty()) {
            throw new Refused(Errors.UNKNOWN_TOPIC_OR_PARTITION, Errors.UNKNOWN_TOPIC_OR_PARTITION.message());
        }
        return TopicSettings.resolve(image.topicConfig(name), settings.get()).describe();
    }

    private List<ConfigEntry> ofGroup(String name) {
        if (name.isEmpty()) {
            throw new Refused(Errors.INVALID_REQUEST, "Default group resources are not allowed.");
        }
        var set = images.get().configs().of(new io.millrace.metadata.image.ConfigResource(ConfigType.GROUP, name));
        return GroupSettings.resolve(set, settings.get()).describe();
    }

    /// The empty name asks for what was set for all brokers while they ran.
    private List<ConfigEntry> ofNode(String name) {
        if (name.isEmpty()) {
            return settings.get().describeDefaults();
        }
        checkSelf(name);
        return settings.get().describe();
    }

    private void checkSelf(String name) {
        int id;
        try {
            id = Integer.parseInt(name);
        } catch (NumberFormatException _) {
            throw new Refused(Errors.INVALID_REQUEST, "Broker id must be an integer, but it is: " + name);
        }
        if (id != self) {
            throw new Refused(Errors.INVALID_REQUEST,
                    "Unexpected broker id, expected " + self + " or empty string, but received " + name);
        }
    }

    private static boolean isAsked(DescribeConfigsResource resource, ConfigEntry entry) {
        List<String> keys = resource.configurationKeys();
        return keys == null || keys.isEmpty() || keys.contains(entry.name());
    }

    private static DescribeConfigsResourceResult told(ConfigEntry entry, DescribeConfigsRequestData request) {
        var told = new DescribeConfigsResourceResult().setName(entry.name()).setValue(entry.value())
                .setReadOnly(entry.readOnly()).setConfigSource(entry.source().code()).setIsSensitive(entry.sensitive())
                .setConfigType(code(entry.type()))
                .setDocumentation(documentation(entry, request));
        if (request.includeSynonyms()) {
            told.setSynonyms(entry.synonyms().stream().map(synonym -> new DescribeConfigsSynonym()
                    .setName(synonym.name()).setValue(synonym.value()).setSource(synonym.source().code())).toList());
        }
        return told;
    }

    private static @Nullable String documentation(ConfigEntry entry, DescribeConfigsRequestData request) {
        return request.includeDocumentation() ? entry.documentation() : null;
    }

    /// Kafka's numbers in `DescribeConfigsResponse.json`.
    private static byte code(ConfigDef.Type type) {
        return switch (type) {
            case BOOLEAN -> 1;
            case STRING -> 2;
            case INT -> 3;
            case SHORT -> 4;
            case LONG -> 5;
            case DOUBLE -> 6;
            case LIST -> 7;
            case CLASS -> 8;
            case PASSWORD -> 9;
        };
    }
}
