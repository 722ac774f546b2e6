package io.millrace.coordinator.api;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import io.millrace.coordinator.shard.OwnedShards;
import io.millrace.coordinator.shard.TransactionShard;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.ShardKind;
import io.millrace.metadata.image.ShardsImage;
import io.millrace.wire.api.ApiHandler;
import io.millrace.wire.api.RequestContext;
import io.millrace.wire.error.Refused;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.AddOffsetsToTxnRequestData;
import org.apache.kafka.common.message.AddOffsetsToTxnResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;

/// AddOffsetsToTxn: the group's partition of `__consumer_offsets` becomes a part of the transaction.
public final class AddOffsetsToTxnHandler
        implements
            ApiHandler<AddOffsetsToTxnRequestData, AddOffsetsToTxnResponseData> {
    private final OwnedShards<TransactionShard> shards;
    private final Supplier<ClusterImage> image;

    public AddOffsetsToTxnHandler(OwnedShards<TransactionShard> shards, Supplier<ClusterImage> image) {
        this.shards = shards;
        this.image = image;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.ADD_OFFSETS_TO_TXN;
    }

    @Override
    public CompletableFuture<AddOffsetsToTxnResponseData> handle(AddOffsetsToTxnRequestData request,
            RequestContext context) {
        var id = TransactionalIds.required(request.transactionalId());
        var partition = partition(request.groupId());
        short version = TransactionVersions.of(api(), context.version());
        return shards.onKey(id, shard -> shard.add(id, request.producerId(), request.producerEpoch(),
                Set.of(partition), version)).thenApply(answer -> new AddOffsetsToTxnResponseData().setErrorCode(
                        TransactionVersions.told(api(), context.version(), answer.error()).code()));
    }

    private TopicPartition partition(String groupId) {
        var topic = ShardKind.GROUP.topic();
        int partitions = image.get().topic(topic).map(found -> found.partitions().size()).orElse(0);
        if (partitions == 0) {
            throw new Refused(Errors.COORDINATOR_NOT_AVAILABLE, topic + " is not there yet");
        }
        return new TopicPartition(topic, ShardsImage.shardOf(groupId, partitions));
    }
}
