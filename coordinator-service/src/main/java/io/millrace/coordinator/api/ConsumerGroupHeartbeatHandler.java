package io.millrace.coordinator.api;

import java.util.concurrent.CompletableFuture;

import io.millrace.coordinator.shard.GroupShard;
import io.millrace.coordinator.shard.OwnedShards;
import io.millrace.wire.api.ApiHandler;
import io.millrace.wire.api.RequestContext;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatResponseData;
import org.apache.kafka.common.protocol.ApiKeys;

/// ConsumerGroupHeartbeat (KIP-848).
public final class ConsumerGroupHeartbeatHandler
        implements
            ApiHandler<ConsumerGroupHeartbeatRequestData, ConsumerGroupHeartbeatResponseData> {
    private final OwnedShards<GroupShard> shards;

    public ConsumerGroupHeartbeatHandler(OwnedShards<GroupShard> shards) {
        this.shards = shards;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.CONSUMER_GROUP_HEARTBEAT;
    }

    @Override
    public CompletableFuture<ConsumerGroupHeartbeatResponseData> handle(ConsumerGroupHeartbeatRequestData request,
            RequestContext context) {
        var client = GroupIds.client(context);
        return shards.onKey(request.groupId(), shard -> shard.heartbeat(request, context.version(), client));
    }
}
