package io.millrace.service.protocol;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.millrace.metadata.command.DeleteTopics;
import io.millrace.metadata.command.DeleteTopics.TopicRef;
import io.millrace.wire.api.ApiHandler;
import io.millrace.wire.api.RequestContext;
import io.millrace.wire.error.Refused;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.DeleteTopicsRequestData;
import org.apache.kafka.common.message.DeleteTopicsRequestData.DeleteTopicState;
import org.apache.kafka.common.message.DeleteTopicsResponseData;
import org.apache.kafka.common.message.DeleteTopicsResponseData.DeletableTopicResult;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/// DeleteTopics, by name or (from version 6) by id.
final class DeleteTopicsHandler implements ApiHandler<DeleteTopicsRequestData, DeleteTopicsResponseData> {
    private static final int FIRST_WITH_IDS = 6;
    private static final int FIRST_WITH_DISABLED = 3;

    private final Forwarding forwarding;
    private final boolean enabled;

    /// @param enabled `delete.topic.enable`
    DeleteTopicsHandler(Forwarding forwarding, boolean enabled) {
        this.forwarding = forwarding;
        this.enabled = enabled;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.DELETE_TOPICS;
    }

    @Override
    public CompletableFuture<DeleteTopicsResponseData> handle(DeleteTopicsRequestData request, RequestContext context) {
        if (!enabled) {
            throw context.version() < FIRST_WITH_DISABLED
                    ? new Refused(Errors.INVALID_REQUEST, "Topic deletion is disabled.")
                    : new Refused(Errors.TOPIC_DELETION_DISABLED, "Topic deletion is disabled.");
        }
        var results = new ArrayList<DeletableTopicResult>();
        var forwarded = new ArrayList<TopicRef>();
        var places = new ArrayList<Integer>();
        var asked = asked(request, context.version());
        var times = new HashMap<Object, Integer>();
        asked.forEach(topic -> times.merge(key(topic), 1, Integer::sum));
        for (var topic : asked) {
            var problem = problem(topic, times.getOrDefault(key(topic), 1));
            results.add(result(topic.name(), topic.topicId(), problem == null ? Errors.NONE : Errors.INVALID_REQUEST,
                    problem));
            if (problem == null) {
                places.add(results.size() - 1);
                forwarded.add(topic.name() == null
                        ? TopicRef.identified(TopicIds.fromKafka(topic.topicId()))
                        : TopicRef.named(topic.name()));
            }
        }
        if (forwarded.isEmpty()) {
            return CompletableFuture.completedFuture(answer(results));
        }
        return forwarding.send(new DeleteTopics(forwarded, Math.max(0, request.timeoutMs())), request.timeoutMs())
                .thenApply(done -> {
                    for (int i = 0; i < places.size() && i < done.topics().size(); i++) {
                        var outcome = done.topics().get(i);
                        var topic = asked.get(places.get(i));
                        var id = outcome.id() == null ? topic.topicId() : TopicIds.toKafka(outcome.id());
                        results.set(places.get(i), result(outcome.name() == null ? topic.name() : outcome.name(), id,
                                Errors.forCode(outcome.errorCode()), outcome.message()));
                    }
                    return answer(results);
                });
    }

    private static List<DeleteTopicState> asked(DeleteTopicsRequestData request, short version) {
        return version >= FIRST_WITH_IDS
                ? request.topics()
                : request.topicNames().stream().map(name -> new DeleteTopicState().setName(name)).toList();
    }

    private static Object key(DeleteTopicState topic) {
        return topic.name() == null ? topic.topicId() : topic.name();
    }

    private static @Nullable String problem(DeleteTopicState topic, int times) {
        boolean identified = !topic.topicId().equals(Uuid.ZERO_UUID);
        if (topic.name() != null && identified) {
            return "You may not specify both topic name and topic id.";
        }
        if (topic.name() == null && !identified) {
            return "Neither topic name nor id were specified.";
        }
        return times > 1 ? "Duplicate topic " + (identified ? "id." : "name.") : null;
    }

    private static DeletableTopicResult result(@Nullable String name, Uuid id, Errors error, @Nullable String message) {
        return new DeletableTopicResult().setName(name).setTopicId(id).setErrorCode(error.code())
                .setErrorMessage(error == Errors.NONE || message != null ? message : error.message());
    }

    private static DeleteTopicsResponseData answer(List<DeletableTopicResult> results) {
        var answer = new DeleteTopicsResponseData();
        results.forEach(answer.responses()::add);
        return answer;
    }
}
