package io.millrace.service.protocol;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.concurrent.CompletableFuture;

import io.millrace.metadata.command.AlterReassignments;
import io.millrace.metadata.command.AlterReassignments.Outcome;
import io.millrace.metadata.command.AlterReassignments.Target;
import io.millrace.wire.api.ApiHandler;
import io.millrace.wire.api.RequestContext;
import org.apache.kafka.common.message.AlterPartitionReassignmentsRequestData;
import org.apache.kafka.common.message.AlterPartitionReassignmentsResponseData;
import org.apache.kafka.common.message.AlterPartitionReassignmentsResponseData.ReassignablePartitionResponse;
import org.apache.kafka.common.message.AlterPartitionReassignmentsResponseData.ReassignableTopicResponse;
import org.apache.kafka.common.protocol.ApiKeys;

/// AlterPartitionReassignments, forwarded: moves partitions and calls moves off.
final class AlterPartitionReassignmentsHandler
        implements
            ApiHandler<AlterPartitionReassignmentsRequestData, AlterPartitionReassignmentsResponseData> {
    private final Forwarding forwarding;

    AlterPartitionReassignmentsHandler(Forwarding forwarding) {
        this.forwarding = forwarding;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.ALTER_PARTITION_REASSIGNMENTS;
    }

    @Override
    public CompletableFuture<AlterPartitionReassignmentsResponseData> handle(
            AlterPartitionReassignmentsRequestData request, RequestContext context) {
        var targets = new ArrayList<Target>();
        request.topics().forEach(topic -> topic.partitions().forEach(partition -> targets.add(new Target(topic.name(),
                partition.partitionIndex(), partition.replicas()))));
        var answer = new AlterPartitionReassignmentsResponseData().setAllowReplicationFactorChange(request
                .allowReplicationFactorChange());
        if (targets.isEmpty()) {
            return CompletableFuture.completedFuture(answer);
        }
        var command = new AlterReassignments(targets, request.allowReplicationFactorChange(), false, Math.max(0, request
                .timeoutMs()));
        return forwarding.send(command, request.timeoutMs()).thenApply(done -> {
            var topics = new LinkedHashMap<String, ReassignableTopicResponse>();
            done.outcomes().forEach(outcome -> topics.computeIfAbsent(outcome.topic(),
                    name -> new ReassignableTopicResponse().setName(name)).partitions().add(told(outcome)));
            return answer.setResponses(new ArrayList<>(topics.values()));
        });
    }

    private static ReassignablePartitionResponse told(Outcome outcome) {
        return new ReassignablePartitionResponse().setPartitionIndex(outcome.partition())
                .setErrorCode(outcome.errorCode())
                .setErrorMessage(outcome.message());
    }
}
