package io.millrace.coordinator.api;

import java.util.concurrent.CompletableFuture;

import io.millrace.coordinator.shard.GroupShard;
import io.millrace.coordinator.shard.OwnedShards;
import io.millrace.wire.api.ApiHandler;
import io.millrace.wire.api.RequestContext;
import io.millrace.wire.error.Failures;
import io.millrace.wire.error.Refused;
import org.apache.kafka.common.message.ConsumerGroupDescribeRequestData;
import org.apache.kafka.common.message.ConsumerGroupDescribeResponseData;
import org.apache.kafka.common.message.ConsumerGroupDescribeResponseData.DescribedGroup;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;

/// ConsumerGroupDescribe (KIP-848). Groups of another kind are not found, so that a client asks for them as classic ones.
public final class ConsumerGroupDescribeHandler
        implements
            ApiHandler<ConsumerGroupDescribeRequestData, ConsumerGroupDescribeResponseData> {
    private final OwnedShards<GroupShard> shards;

    public ConsumerGroupDescribeHandler(OwnedShards<GroupShard> shards) {
        this.shards = shards;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.CONSUMER_GROUP_DESCRIBE;
    }

    @Override
    public CompletableFuture<ConsumerGroupDescribeResponseData> handle(ConsumerGroupDescribeRequestData request,
            RequestContext context) {
        var groups = request.groupIds().stream().map(group -> describe(group).thenApply(described -> {
            if (request.includeAuthorizedOperations()) {
                described.setAuthorizedOperations(DescribeGroupsHandler.ALLOWED);
            }
            return described;
        }).exceptionally(failure -> new DescribedGroup().setGroupId(group)
                .setErrorCode(Failures.errorOf(failure).code()).setErrorMessage(Failures.messageOf(failure)))).toList();
        return GroupIds.all(groups).thenApply(answers -> new ConsumerGroupDescribeResponseData().setGroups(answers));
    }

    private CompletableFuture<DescribedGroup> describe(String group) {
        return group.isEmpty()
                ? CompletableFuture.failedFuture(new Refused(Errors.INVALID_GROUP_ID, "a group needs a name"))
                : shards.onKey(group, shard -> CompletableFuture.completedFuture(shard.describeConsumer(group)));
    }
}
