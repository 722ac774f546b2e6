package io.millrace.service.protocol;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.millrace.metadata.command.CreatePartitions;
import io.millrace.metadata.command.CreatePartitions.PartitionsSpec;
import io.millrace.wire.api.ApiHandler;
import io.millrace.wire.api.RequestContext;
import org.apache.kafka.common.message.CreatePartitionsRequestData;
import org.apache.kafka.common.message.CreatePartitionsRequestData.CreatePartitionsAssignment;
import org.apache.kafka.common.message.CreatePartitionsRequestData.CreatePartitionsTopic;
import org.apache.kafka.common.message.CreatePartitionsResponseData;
import org.apache.kafka.common.message.CreatePartitionsResponseData.CreatePartitionsTopicResult;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/// CreatePartitions, forwarded.
final class CreatePartitionsHandler
        implements
            ApiHandler<CreatePartitionsRequestData, CreatePartitionsResponseData> {
    private final Forwarding forwarding;

    CreatePartitionsHandler(Forwarding forwarding) {
        this.forwarding = forwarding;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.CREATE_PARTITIONS;
    }

    @Override
    public CompletableFuture<CreatePartitionsResponseData> handle(CreatePartitionsRequestData request,
            RequestContext context) {
        var times = new LinkedHashMap<String, Integer>();
        request.topics().forEach(topic -> times.merge(topic.name(), 1, Integer::sum));
        var results = new LinkedHashMap<String, CreatePartitionsTopicResult>();
        times.forEach((name, count) -> results.put(name, count == 1
                ? result(name, Errors.NONE, null)
                : result(name, Errors.INVALID_REQUEST, "Duplicate topic in request.")));
        var wanted = request.topics().stream().filter(topic -> times.getOrDefault(topic.name(), 0) == 1)
                .map(CreatePartitionsHandler::spec).toList();
        if (wanted.isEmpty()) {
            return CompletableFuture.completedFuture(answer(results));
        }
        var command = new CreatePartitions(wanted, request.validateOnly(), Math.max(0, request.timeoutMs()));
        return forwarding.send(command, request.timeoutMs()).thenApply(done -> {
            for (var outcome : done.topics()) {
                var name = String.valueOf(outcome.name());
                results.computeIfPresent(name,
                        (_, _) -> result(name, Errors.forCode(outcome.errorCode()), outcome.message()));
            }
            return answer(results);
        });
    }

    private static PartitionsSpec spec(CreatePartitionsTopic topic) {
        List<List<Integer>> assignments = topic.assignments() == null
                ? List.of()
                : topic.assignments().stream().map(CreatePartitionsAssignment::brokerIds).toList();
        return new PartitionsSpec(topic.name(), topic.count(), assignments);
    }

    private static CreatePartitionsTopicResult result(String name, Errors error, @Nullable String message) {
        return new CreatePartitionsTopicResult().setName(name).setErrorCode(error.code())
                .setErrorMessage(error == Errors.NONE || message != null ? message : error.message());
    }

    private static CreatePartitionsResponseData answer(Map<String, CreatePartitionsTopicResult> results) {
        return new CreatePartitionsResponseData().setResults(new ArrayList<>(results.values()));
    }
}
