package io.millrace.wire.api;

import java.util.concurrent.CompletableFuture;

import io.millrace.wire.error.Refused;
import org.apache.kafka.common.message.DescribeLogDirsResponseData;
import org.apache.kafka.common.message.DescribeLogDirsResponseData.DescribeLogDirsResult;
import org.apache.kafka.common.message.ListGroupsResponseData;
import org.apache.kafka.common.message.ListTransactionsResponseData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;

/// An API that this node offers (all nodes offer the same) but does not serve. A client that asks every node gets an empty
/// answer; one that took this node for another gets the code that makes it look again.
final class Misrouted implements ApiHandler<ApiMessage, ApiMessage> {
    private final ApiKeys api;

    Misrouted(ApiKeys api) {
        this.api = api;
    }

    @Override
    public ApiKeys api() {
        return api;
    }

    @Override
    public CompletableFuture<ApiMessage> handle(ApiMessage request, RequestContext context) {
        return switch (api) {
            case LIST_GROUPS -> CompletableFuture.completedFuture(new ListGroupsResponseData());
            case LIST_TRANSACTIONS -> CompletableFuture.completedFuture(new ListTransactionsResponseData());
            case DESCRIBE_LOG_DIRS -> CompletableFuture.completedFuture(noLogDirectory());
            default -> CompletableFuture.failedFuture(new Refused(lookAgain(), api.name + " is not served here"));
        };
    }

    @Override
    public boolean answered(ApiMessage request) {
        return !(request instanceof ProduceRequestData produce) || produce.acks() != 0;
    }

    /// Kafka's Admin client takes an answer without any directory for a refusal (CLUSTER_AUTHORIZATION_FAILED).
    private static DescribeLogDirsResponseData noLogDirectory() {
        var answer = new DescribeLogDirsResponseData();
        answer.results().add(new DescribeLogDirsResult().setLogDir("none"));
        return answer;
    }

    private Errors lookAgain() {
        return switch (api) {
            case PRODUCE, FETCH, LIST_OFFSETS, OFFSET_FOR_LEADER_EPOCH, DELETE_RECORDS, WRITE_TXN_MARKERS,
                    DESCRIBE_PRODUCERS -> Errors.NOT_LEADER_OR_FOLLOWER;
            case OFFSET_COMMIT, OFFSET_FETCH, JOIN_GROUP, HEARTBEAT, LEAVE_GROUP, SYNC_GROUP, DESCRIBE_GROUPS,
                    DELETE_GROUPS,
                    OFFSET_DELETE, ADD_PARTITIONS_TO_TXN, ADD_OFFSETS_TO_TXN, END_TXN, TXN_OFFSET_COMMIT,
                    DESCRIBE_TRANSACTIONS, CONSUMER_GROUP_HEARTBEAT, CONSUMER_GROUP_DESCRIBE ->
                Errors.NOT_COORDINATOR;
            default -> Errors.UNSUPPORTED_VERSION; // a client does not repeat it, here or elsewhere
        };
    }
}
