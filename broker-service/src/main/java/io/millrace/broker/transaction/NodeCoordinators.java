package io.millrace.broker.transaction;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.IntFunction;

import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.ShardImage;
import io.millrace.metadata.image.ShardKind;
import io.millrace.wire.client.NodeAddress;
import io.millrace.wire.client.NodeClient;
import io.millrace.wire.error.NodeUnreachable;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData;
import org.apache.kafka.common.message.AddPartitionsToTxnResponseData;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData;
import org.apache.kafka.common.message.WriteTxnMarkersResponseData;

/// Coordinators as other nodes.
///
/// @param client closed with this
/// @param find who coordinates a transactional id now
/// @param owner who owns a shard of the groups now
public record NodeCoordinators(NodeClient client, Function<String, Optional<NodeAddress>> find,
        IntFunction<Optional<NodeAddress>> owner) implements CoordinatorChannel {

    /// Where the owner of the shard of `transactionalId` listens; empty where it has none.
    ///
    /// @param listener by which nodes reach each other
    public static Optional<NodeAddress> find(String transactionalId, ClusterImage image, String listener) {
        return image.shardOf(ShardKind.TRANSACTION, transactionalId).flatMap(shard -> address(shard, image, listener));
    }

    /// Where the owner of that shard of the groups listens; empty where it has none.
    public static Optional<NodeAddress> ownerOf(int shard, ClusterImage image, String listener) {
        return image.groupShards().shard(shard).flatMap(found -> address(found, image, listener));
    }

    private static Optional<NodeAddress> address(ShardImage shard, ClusterImage image, String listener) {
        return image.coordinator(shard.owner())
                .flatMap(node -> node.endpoint(listener))
                .map(endpoint -> new NodeAddress(endpoint.host(), endpoint.port()));
    }

    @Override
    public Optional<NodeAddress> coordinatorOf(String transactionalId) {
        return find.apply(transactionalId);
    }

    @Override
    public CompletableFuture<AddPartitionsToTxnResponseData> ask(NodeAddress coordinator,
            AddPartitionsToTxnRequestData request, Duration timeout) {
        return client.send(coordinator, request, timeout);
    }

    @Override
    public CompletableFuture<WriteTxnMarkersResponseData> end(int partition, WriteTxnMarkersRequestData request,
            Duration timeout) {
        return owner.apply(partition)
                .map(node -> client.<WriteTxnMarkersResponseData>send(node, request, timeout))
                .orElseGet(() -> CompletableFuture.failedFuture(new NodeUnreachable("nobody owns shard " + partition,
                        null)));
    }

    @Override
    public void close() {
        client.close();
    }
}
