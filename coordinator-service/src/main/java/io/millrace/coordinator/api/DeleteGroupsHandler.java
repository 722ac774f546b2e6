package io.millrace.coordinator.api;

import java.util.concurrent.CompletableFuture;

import io.millrace.coordinator.shard.GroupShard;
import io.millrace.coordinator.shard.OwnedShards;
import io.millrace.wire.api.ApiHandler;
import io.millrace.wire.api.RequestContext;
import io.millrace.wire.error.Failures;
import org.apache.kafka.common.message.DeleteGroupsRequestData;
import org.apache.kafka.common.message.DeleteGroupsResponseData;
import org.apache.kafka.common.message.DeleteGroupsResponseData.DeletableGroupResult;
import org.apache.kafka.common.message.DeleteGroupsResponseData.DeletableGroupResultCollection;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;

/// DeleteGroups: empty groups with their offsets.
public final class DeleteGroupsHandler implements ApiHandler<DeleteGroupsRequestData, DeleteGroupsResponseData> {
    private final OwnedShards<GroupShard> shards;

    public DeleteGroupsHandler(OwnedShards<GroupShard> shards) {
        this.shards = shards;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.DELETE_GROUPS;
    }

    @Override
    public CompletableFuture<DeleteGroupsResponseData> handle(DeleteGroupsRequestData request,
            RequestContext context) {
        var results = request.groupsNames().stream().distinct().map(group -> delete(group)
                .exceptionally(Failures::errorOf)
                .thenApply(error -> new DeletableGroupResult().setGroupId(group).setErrorCode(error.code()))).toList();
        return GroupIds.all(results).thenApply(all -> new DeleteGroupsResponseData()
                .setResults(new DeletableGroupResultCollection(all.iterator())));
    }

    private CompletableFuture<Errors> delete(String group) {
        return group.isEmpty()
                ? CompletableFuture.completedFuture(Errors.INVALID_GROUP_ID)
                : shards.onKey(group, (GroupShard shard) -> shard.delete(group));
    }
}
