package io.millrace.coordinator.api;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.millrace.coordinator.shard.GroupShard;
import io.millrace.coordinator.shard.OwnedShards;
import io.millrace.wire.api.ApiHandler;
import io.millrace.wire.api.RequestContext;
import org.apache.kafka.common.message.LeaveGroupRequestData;
import org.apache.kafka.common.message.LeaveGroupRequestData.MemberIdentity;
import org.apache.kafka.common.message.LeaveGroupResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;

/// LeaveGroup: one member up to version 2, a list from version 3 on.
public final class LeaveGroupHandler implements ApiHandler<LeaveGroupRequestData, LeaveGroupResponseData> {
    private static final int FIRST_WITH_LIST = 3;

    private final OwnedShards<GroupShard> shards;

    public LeaveGroupHandler(OwnedShards<GroupShard> shards) {
        this.shards = shards;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.LEAVE_GROUP;
    }

    @Override
    public CompletableFuture<LeaveGroupResponseData> handle(LeaveGroupRequestData request, RequestContext context) {
        GroupIds.requireNamed(request.groupId());
        if (context.version() >= FIRST_WITH_LIST) {
            return shards.onKey(request.groupId(), shard -> shard.leave(request));
        }
        var list = new LeaveGroupRequestData().setGroupId(request.groupId())
                .setMembers(List.of(new MemberIdentity().setMemberId(request.memberId())));
        return shards.onKey(request.groupId(), shard -> shard.leave(list)).thenApply(LeaveGroupHandler::single);
    }

    private static LeaveGroupResponseData single(LeaveGroupResponseData list) {
        short member = list.members().isEmpty() ? Errors.NONE.code() : list.members().getFirst().errorCode();
        return new LeaveGroupResponseData()
                .setErrorCode(list.errorCode() == Errors.NONE.code() ? member : list.errorCode());
    }
}
