package io.millrace.coordinator.api;

import java.util.concurrent.CompletableFuture;

import io.millrace.coordinator.shard.GroupShard;
import io.millrace.coordinator.shard.OwnedShards;
import io.millrace.wire.api.ApiHandler;
import io.millrace.wire.api.RequestContext;
import org.apache.kafka.common.message.JoinGroupRequestData;
import org.apache.kafka.common.message.JoinGroupResponseData;
import org.apache.kafka.common.protocol.ApiKeys;

/// JoinGroup: held until the group has gathered.
public final class JoinGroupHandler implements ApiHandler<JoinGroupRequestData, JoinGroupResponseData> {
    private static final int FIRST_WITH_NULL_PROTOCOL = 7;

    private final OwnedShards<GroupShard> shards;

    public JoinGroupHandler(OwnedShards<GroupShard> shards) {
        this.shards = shards;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.JOIN_GROUP;
    }

    @Override
    public CompletableFuture<JoinGroupResponseData> handle(JoinGroupRequestData request, RequestContext context) {
        GroupIds.requireNamed(request.groupId());
        var client = GroupIds.client(context);
        return shards.onKey(request.groupId(), shard -> shard.join(request, context.version(), client))
                .thenApply(answer -> answer.protocolName() == null && context.version() < FIRST_WITH_NULL_PROTOCOL
                        ? answer.setProtocolName("")
                        : answer);
    }
}
