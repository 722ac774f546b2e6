package io.millrace.service.protocol;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import io.millrace.metadata.command.CreateTopics;
import io.millrace.metadata.command.CreateTopics.NewTopic;
import io.millrace.metadata.command.TopicOutcome;
import io.millrace.service.config.ServerSettings;
import io.millrace.service.config.TopicSettings;
import io.millrace.wire.api.ApiHandler;
import io.millrace.wire.api.RequestContext;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopic;
import org.apache.kafka.common.message.CreateTopicsResponseData;
import org.apache.kafka.common.message.CreateTopicsResponseData.CreatableTopicConfigs;
import org.apache.kafka.common.message.CreateTopicsResponseData.CreatableTopicResult;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/// CreateTopics: what can be told to be wrong from the request alone is refused here, the rest is the controller's. One
/// bad topic does not harm its neighbours.
final class CreateTopicsHandler implements ApiHandler<CreateTopicsRequestData, CreateTopicsResponseData> {
    private static final int FIRST_WITH_DETAILS = 5;

    private final Forwarding forwarding;
    private final Supplier<ServerSettings> settings;

    CreateTopicsHandler(Forwarding forwarding, Supplier<ServerSettings> settings) {
        this.forwarding = forwarding;
        this.settings = settings;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.CREATE_TOPICS;
    }

    @Override
    public CompletableFuture<CreateTopicsResponseData> handle(CreateTopicsRequestData request, RequestContext context) {
        var results = new LinkedHashMap<String, CreatableTopicResult>();
        var wanted = new ArrayList<NewTopic>();
        for (var topic : request.topics()) {
            var problem = request.topics().findAll(topic.name()).size() > 1
                    ? new NewTopics.Problem(Errors.INVALID_REQUEST, "Duplicate topic name.")
                    : NewTopics.problem(topic).orElse(null);
            // An entry keeps the place of the topic, whatever is told of it in the end.
            results.put(topic.name(), problem == null
                    ? new CreatableTopicResult()
                    : refused(topic.name(), problem.error(), problem.message()));
            if (problem == null) {
                wanted.add(NewTopics.of(topic));
            }
        }
        if (wanted.isEmpty()) {
            return CompletableFuture.completedFuture(answer(results));
        }
        boolean details = context.version() >= FIRST_WITH_DETAILS;
        var command = new CreateTopics(wanted, request.validateOnly(), Math.max(0, request.timeoutMs()));
        return forwarding.send(command, request.timeoutMs()).thenApply(done -> {
            for (var outcome : done.topics()) {
                var topic = request.topics().find(String.valueOf(outcome.name()));
                if (topic != null) {
                    results.put(topic.name(), result(topic, outcome, details));
                }
            }
            return answer(results);
        });
    }

    private CreatableTopicResult result(CreatableTopic topic, TopicOutcome outcome, boolean details) {
        var error = Errors.forCode(outcome.errorCode());
        var result = refused(topic.name(), error, outcome.message()).setTopicId(TopicIds.toKafka(outcome.id()));
        if (error == Errors.NONE && details) {
            result.setNumPartitions(outcome.partitions()).setReplicationFactor((short) outcome.replicationFactor())
                    .setConfigs(configs(topic));
        }
        return result;
    }

    private List<CreatableTopicConfigs> configs(CreatableTopic topic) {
        return TopicSettings.resolve(NewTopics.configs(topic), settings.get()).describe().stream()
                .map(entry -> new CreatableTopicConfigs().setName(entry.name()).setValue(entry.value())
                        .setReadOnly(entry.readOnly()).setConfigSource(entry.source().code())
                        .setIsSensitive(entry.sensitive()))
                .toList();
    }

    private static CreatableTopicResult refused(String name, Errors error,
            @Nullable String message) {
        return new CreatableTopicResult().setName(name).setErrorCode(error.code())
                .setErrorMessage(error == Errors.NONE || message != null ? message : error.message())
                .setNumPartitions(-1).setReplicationFactor((short) -1);
    }

    private static CreateTopicsResponseData answer(Map<String, CreatableTopicResult> results) {
        var answer = new CreateTopicsResponseData();
        results.values().forEach(answer.topics()::add);
        return answer;
    }
}
