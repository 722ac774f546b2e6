package io.millrace.coordinator.api;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import io.millrace.coordinator.shard.GroupShard;
import io.millrace.coordinator.shard.OwnedShards;
import io.millrace.metadata.image.ShardKind;
import io.millrace.wire.api.ApiHandler;
import io.millrace.wire.api.MarkerStamp;
import io.millrace.wire.api.RequestContext;
import io.millrace.wire.error.Failures;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData.WritableTxnMarker;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData.WritableTxnMarkerTopic;
import org.apache.kafka.common.message.WriteTxnMarkersResponseData;
import org.apache.kafka.common.message.WriteTxnMarkersResponseData.WritableTxnMarkerPartitionResult;
import org.apache.kafka.common.message.WriteTxnMarkersResponseData.WritableTxnMarkerResult;
import org.apache.kafka.common.message.WriteTxnMarkersResponseData.WritableTxnMarkerTopicResult;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;

/// WriteTxnMarkers for partitions of `__consumer_offsets`: whoever owns the shard appends the marker, so that the offsets
/// of the transaction become real, or go, where they are kept.
public final class WriteTxnMarkersHandler
        implements
            ApiHandler<WriteTxnMarkersRequestData, WriteTxnMarkersResponseData> {
    private final OwnedShards<GroupShard> shards;

    public WriteTxnMarkersHandler(OwnedShards<GroupShard> shards) {
        this.shards = shards;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.WRITE_TXN_MARKERS;
    }

    @Override
    public CompletableFuture<WriteTxnMarkersResponseData> handle(WriteTxnMarkersRequestData request,
            RequestContext context) {
        var stamp = MarkerStamp.of(request);
        return GroupIds.all(request.markers().stream().map(marker -> write(marker, stamp)).toList())
                .thenApply(results -> new WriteTxnMarkersResponseData().setMarkers(results));
    }

    private CompletableFuture<WritableTxnMarkerResult> write(WritableTxnMarker marker, Optional<MarkerStamp> stamp) {
        return GroupIds.all(marker.topics().stream().map(topic -> write(marker, topic, stamp)).toList())
                .thenApply(topics -> new WritableTxnMarkerResult().setProducerId(marker.producerId())
                        .setTopics(topics));
    }

    private CompletableFuture<WritableTxnMarkerTopicResult> write(WritableTxnMarker marker,
            WritableTxnMarkerTopic topic, Optional<MarkerStamp> stamp) {
        boolean known = topic.name().equals(ShardKind.GROUP.topic());
        List<CompletableFuture<WritableTxnMarkerPartitionResult>> partitions = new ArrayList<>();
        for (int partition : topic.partitionIndexes()) {
            partitions.add((known
                    ? write(marker, partition, stamp)
                    : CompletableFuture.completedFuture(Errors.NOT_LEADER_OR_FOLLOWER))
                    .thenApply(error -> new WritableTxnMarkerPartitionResult().setPartitionIndex(partition)
                            .setErrorCode(error.code())));
        }
        return GroupIds.all(partitions)
                .thenApply(results -> new WritableTxnMarkerTopicResult().setName(topic.name()).setPartitions(results));
    }

    private CompletableFuture<Errors> write(WritableTxnMarker marker, int partition,
            Optional<MarkerStamp> stamp) {
        return shards.onShard(partition, shard -> shard.endTransaction(marker.producerId(), marker.producerEpoch(),
                marker.transactionResult(), marker.coordinatorEpoch(), stamp)).exceptionally(Failures::errorOf);
    }
}
