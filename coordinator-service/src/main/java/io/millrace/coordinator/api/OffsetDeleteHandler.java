package io.millrace.coordinator.api;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import io.millrace.coordinator.shard.GroupShard;
import io.millrace.coordinator.shard.OwnedShards;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.wire.api.ApiHandler;
import io.millrace.wire.api.RequestContext;
import org.apache.kafka.common.message.OffsetDeleteRequestData;
import org.apache.kafka.common.message.OffsetDeleteResponseData;
import org.apache.kafka.common.protocol.ApiKeys;

/// OffsetDelete.
public final class OffsetDeleteHandler implements ApiHandler<OffsetDeleteRequestData, OffsetDeleteResponseData> {
    private final OwnedShards<GroupShard> shards;
    private final Supplier<ClusterImage> image;

    public OffsetDeleteHandler(OwnedShards<GroupShard> shards, Supplier<ClusterImage> image) {
        this.shards = shards;
        this.image = image;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.OFFSET_DELETE;
    }

    @Override
    public CompletableFuture<OffsetDeleteResponseData> handle(OffsetDeleteRequestData request,
            RequestContext context) {
        GroupIds.requireNamed(request.groupId());
        var topics = image.get().topics();
        return shards.onKey(request.groupId(), shard -> shard.deleteOffsets(request,
                (topic, partition) -> topics.topic(topic).flatMap(found -> found.partition(partition)).isPresent()));
    }
}
