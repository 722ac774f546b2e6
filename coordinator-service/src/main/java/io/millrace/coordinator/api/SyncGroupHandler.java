package io.millrace.coordinator.api;

import java.util.concurrent.CompletableFuture;

import io.millrace.coordinator.shard.GroupShard;
import io.millrace.coordinator.shard.OwnedShards;
import io.millrace.wire.api.ApiHandler;
import io.millrace.wire.api.RequestContext;
import io.millrace.wire.error.Refused;
import org.apache.kafka.common.message.SyncGroupRequestData;
import org.apache.kafka.common.message.SyncGroupResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;

/// SyncGroup: held until the leader's assignment is stored.
public final class SyncGroupHandler implements ApiHandler<SyncGroupRequestData, SyncGroupResponseData> {
    private static final int FIRST_THAT_NAMES_PROTOCOL = 5;

    private final OwnedShards<GroupShard> shards;

    public SyncGroupHandler(OwnedShards<GroupShard> shards) {
        this.shards = shards;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.SYNC_GROUP;
    }

    @Override
    public CompletableFuture<SyncGroupResponseData> handle(SyncGroupRequestData request, RequestContext context) {
        GroupIds.requireNamed(request.groupId());
        if (context.version() >= FIRST_THAT_NAMES_PROTOCOL
                && (request.protocolType() == null || request.protocolName() == null)) {
            throw new Refused(Errors.INCONSISTENT_GROUP_PROTOCOL, "protocol type and name are missing");
        }
        return shards.onKey(request.groupId(), shard -> shard.sync(request));
    }
}
