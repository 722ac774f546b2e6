package io.millrace.service.protocol;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.millrace.metadata.command.ElectLeaders;
import io.millrace.metadata.command.ElectLeaders.Outcome;
import io.millrace.metadata.command.ElectLeaders.TopicPartition;
import io.millrace.wire.api.ApiHandler;
import io.millrace.wire.api.RequestContext;
import io.millrace.wire.error.Refused;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.message.ElectLeadersRequestData;
import org.apache.kafka.common.message.ElectLeadersResponseData;
import org.apache.kafka.common.message.ElectLeadersResponseData.PartitionResult;
import org.apache.kafka.common.message.ElectLeadersResponseData.ReplicaElectionResult;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/// ElectLeaders, forwarded. Version 0 knows preferred leaders only.
final class ElectLeadersHandler implements ApiHandler<ElectLeadersRequestData, ElectLeadersResponseData> {
    private final Forwarding forwarding;

    ElectLeadersHandler(Forwarding forwarding) {
        this.forwarding = forwarding;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.ELECT_LEADERS;
    }

    @Override
    public CompletableFuture<ElectLeadersResponseData> handle(ElectLeadersRequestData request,
            RequestContext context) {
        var command = new ElectLeaders(type(request.electionType()), partitions(request), Math.max(0, request
                .timeoutMs()));
        return forwarding.send(command, request.timeoutMs()).thenApply(done -> answer(done.outcomes()));
    }

    private static ElectLeaders.Type type(byte electionType) {
        if (electionType == ElectionType.PREFERRED.value) {
            return ElectLeaders.Type.PREFERRED;
        }
        if (electionType == ElectionType.UNCLEAN.value) {
            return ElectLeaders.Type.UNCLEAN;
        }
        throw new Refused(Errors.INVALID_REQUEST, "There is no election of type " + electionType + ".");
    }

    /// Null: all partitions.
    private static @Nullable List<TopicPartition> partitions(ElectLeadersRequestData request) {
        return request.topicPartitions() == null
                ? null
                : request.topicPartitions()
                        .stream()
                        .flatMap(topic -> topic.partitions().stream().map(partition -> new TopicPartition(topic.topic(),
                                partition)))
                        .toList();
    }

    private static ElectLeadersResponseData answer(List<Outcome> outcomes) {
        var byTopic = new LinkedHashMap<String, ReplicaElectionResult>();
        for (var outcome : outcomes) {
            byTopic.computeIfAbsent(outcome.topic(), name -> new ReplicaElectionResult().setTopic(name))
                    .partitionResult()
                    .add(new PartitionResult().setPartitionId(outcome.partition())
                            .setErrorCode(outcome.errorCode())
                            .setErrorMessage(outcome.message()));
        }
        return new ElectLeadersResponseData().setReplicaElectionResults(new ArrayList<>(byTopic.values()));
    }
}
