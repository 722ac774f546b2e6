package io.millrace.coordinator.api;

import java.util.concurrent.CompletableFuture;

import io.millrace.coordinator.shard.GroupShard;
import io.millrace.coordinator.shard.OwnedShards;
import io.millrace.wire.api.ApiHandler;
import io.millrace.wire.api.RequestContext;
import io.millrace.wire.error.Failures;
import org.apache.kafka.common.message.HeartbeatRequestData;
import org.apache.kafka.common.message.HeartbeatResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;

/// Heartbeat. While the group's shard loads everybody is well, as with Kafka: sessions begin anew once it is loaded.
public final class HeartbeatHandler implements ApiHandler<HeartbeatRequestData, HeartbeatResponseData> {
    private final OwnedShards<GroupShard> shards;

    public HeartbeatHandler(OwnedShards<GroupShard> shards) {
        this.shards = shards;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.HEARTBEAT;
    }

    @Override
    public CompletableFuture<HeartbeatResponseData> handle(HeartbeatRequestData request, RequestContext context) {
        GroupIds.requireNamed(request.groupId());
        return shards.onKey(request.groupId(), shard -> shard.heartbeat(request))
                .exceptionallyCompose(failure -> Failures.errorOf(failure) == Errors.COORDINATOR_LOAD_IN_PROGRESS
                        ? CompletableFuture.completedFuture(new HeartbeatResponseData())
                        : CompletableFuture.failedFuture(failure));
    }
}
