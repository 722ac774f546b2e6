package io.millrace.coordinator.api;

import java.util.concurrent.CompletableFuture;

import io.millrace.coordinator.group.GroupState;
import io.millrace.coordinator.shard.GroupShard;
import io.millrace.coordinator.shard.OwnedShards;
import io.millrace.wire.api.AddedText;
import io.millrace.wire.api.ApiHandler;
import io.millrace.wire.api.RequestContext;
import io.millrace.wire.error.Failures;
import io.millrace.wire.error.Refused;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.message.DescribeGroupsRequestData;
import org.apache.kafka.common.message.DescribeGroupsResponseData;
import org.apache.kafka.common.message.DescribeGroupsResponseData.DescribedGroup;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;

/// DescribeGroups. A group that is not known is `Dead` up to version 5, and not found from version 6 on (KIP-1043).
public final class DescribeGroupsHandler
        implements
            ApiHandler<DescribeGroupsRequestData, DescribeGroupsResponseData> {
    private static final int FIRST_WITH_MESSAGE = 6;
    /// What anybody may do with a group, as long as nobody is kept from anything: a bit each.
    private static final int FIRST_WITH_TAGGED_FIELDS = 5;
    static final int ALLOWED = 1 << AclOperation.READ.code() | 1 << AclOperation.DELETE.code()
            | 1 << AclOperation.DESCRIBE.code();

    private final OwnedShards<GroupShard> shards;

    public DescribeGroupsHandler(OwnedShards<GroupShard> shards) {
        this.shards = shards;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.DESCRIBE_GROUPS;
    }

    @Override
    public CompletableFuture<DescribeGroupsResponseData> handle(DescribeGroupsRequestData request,
            RequestContext context) {
        var groups = request.groups().stream().map(group -> describe(group).thenApply(described -> {
            if (request.includeAuthorizedOperations()) {
                described.setAuthorizedOperations(ALLOWED);
            }
            if (context.version() < FIRST_WITH_TAGGED_FIELDS) {
                AddedText.removeFrom(described);
                described.members().forEach(AddedText::removeFrom);
            }
            return context.version() >= FIRST_WITH_MESSAGE ? orNotFound(described) : described;
        }).exceptionally(failure -> refused(group, failure, context.version()))).toList();
        return GroupIds.all(groups).thenApply(answers -> new DescribeGroupsResponseData().setGroups(answers));
    }

    private CompletableFuture<DescribedGroup> describe(String group) {
        return group.isEmpty()
                ? CompletableFuture.failedFuture(new Refused(Errors.INVALID_GROUP_ID, "a group needs a name"))
                : shards.onKey(group, shard -> CompletableFuture.completedFuture(shard.describe(group)));
    }

    private static DescribedGroup orNotFound(DescribedGroup group) {
        return group.groupState().equals(GroupState.DEAD.label())
                ? group.setErrorCode(Errors.GROUP_ID_NOT_FOUND.code())
                        .setErrorMessage("Group " + group.groupId() + " not found.")
                : group;
    }

    private static DescribedGroup refused(String group, Throwable failure, short version) {
        var refused = new DescribedGroup().setGroupId(group).setErrorCode(Failures.errorOf(failure).code());
        return version >= FIRST_WITH_MESSAGE ? refused.setErrorMessage(Failures.messageOf(failure)) : refused;
    }
}
