package io.millrace.broker.produce;

import java.util.Set;

import io.millrace.broker.partition.LeaderHints;
import io.millrace.broker.partition.PartitionFailures;
import io.millrace.log.AppendResult;
import io.millrace.log.batch.LogRefused;
import io.millrace.wire.api.RequestContext;
import io.millrace.wire.error.Failures;
import io.millrace.wire.error.Refused;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.message.ProduceResponseData.BatchIndexAndErrorMessage;
import org.apache.kafka.common.message.ProduceResponseData.LeaderIdAndEpoch;
import org.apache.kafka.common.message.ProduceResponseData.NodeEndpoint;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.message.ProduceResponseData.TopicProduceResponse;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/// The answer to one Produce request while it grows. Touched on the connection's event loop only.
final class ProduceAnswer {
    /// Expected while a client's metadata are old or its records are bad: not counted as failures, as in Kafka.
    private static final Set<Errors> ROUTINE = Set.of(Errors.UNKNOWN_TOPIC_OR_PARTITION, Errors.UNKNOWN_TOPIC_ID,
            Errors.NOT_LEADER_OR_FOLLOWER, Errors.MESSAGE_TOO_LARGE, Errors.RECORD_LIST_TOO_LARGE,
            Errors.CORRUPT_MESSAGE, Errors.KAFKA_STORAGE_ERROR);
    private static final short FIRST_VERSION_WITH_LEADERS = 10;

    private final ProduceResponseData response = new ProduceResponseData();
    private final RequestContext context;
    private final LeaderHints hints;
    private @Nullable Refused firstFailure;

    ProduceAnswer(RequestContext context, LeaderHints hints) {
        this.context = context;
        this.hints = hints;
    }

    ProduceResponseData response() {
        return response;
    }

    /// What went wrong first; null where nothing did.
    @Nullable
    Refused firstFailure() {
        return firstFailure;
    }

    /// The place of one partition in the answer. Parts of one topic that come apart in the request are told together.
    PartitionProduceResponse part(TopicProduceData topic, int partition) {
        var told = response.responses().find(topic.name(), topic.topicId());
        if (told == null) {
            told = new TopicProduceResponse().setName(topic.name()).setTopicId(topic.topicId());
            response.responses().add(told);
        }
        var part = new PartitionProduceResponse().setIndex(partition).setBaseOffset(-1).setLogStartOffset(-1);
        told.partitionResponses().add(part);
        return part;
    }

    static void appended(PartitionProduceResponse part, AppendResult result) {
        part.setBaseOffset(result.baseOffset())
                .setLogAppendTimeMs(result.logAppendTime())
                .setLogStartOffset(result.logStartOffset());
    }

    /// Says why a part failed.
    ///
    /// @return the code, where it is one to count as a failure; null for what clients cause every day
    @Nullable
    Errors failed(TopicProduceData topic, PartitionProduceResponse part, Throwable failure) {
        var cause = Failures.cause(failure);
        var error = PartitionFailures.errorOf(cause, "produce", topic.name(), part.index());
        var message = PartitionFailures.messageOf(cause);
        part.setErrorCode(error.code()).setErrorMessage(message).setBaseOffset(-1).setLogAppendTimeMs(-1);
        if (cause instanceof LogRefused refused) {
            refused.recordErrors().forEach(record -> part.recordErrors().add(new BatchIndexAndErrorMessage()
                    .setBatchIndex(record.batchIndex())
                    .setBatchIndexErrorMessage(record.message())));
        }
        if (context.version() >= FIRST_VERSION_WITH_LEADERS && error == Errors.NOT_LEADER_OR_FOLLOWER) {
            tellLeader(topic.name(), topic.topicId(), part);
        }
        if (firstFailure == null) {
            firstFailure = new Refused(error, message == null ? error.message() : message);
        }
        return ROUTINE.contains(error) ? null : error;
    }

    private void tellLeader(String topic, Uuid topicId, PartitionProduceResponse part) {
        hints.of(topic, topicId, part.index(), context.listener()).ifPresent(hint -> {
            part.setCurrentLeader(new LeaderIdAndEpoch().setLeaderId(hint.leader()).setLeaderEpoch(hint.leaderEpoch()));
            var endpoint = hint.endpoint();
            if (endpoint != null && response.nodeEndpoints().find(hint.leader()) == null) {
                response.nodeEndpoints().add(new NodeEndpoint().setNodeId(hint.leader())
                        .setHost(endpoint.host())
                        .setPort(endpoint.port())
                        .setRack(hint.rack()));
            }
        });
    }
}
