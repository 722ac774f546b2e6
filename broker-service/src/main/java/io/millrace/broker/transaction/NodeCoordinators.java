package io.millrace.broker.transaction;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.ShardKind;
import io.millrace.wire.client.NodeAddress;
import io.millrace.wire.client.NodeClient;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData;
import org.apache.kafka.common.message.AddPartitionsToTxnResponseData;

/// Coordinators as other nodes.
///
/// @param client closed with this
/// @param find who coordinates a transactional id now
public record NodeCoordinators(NodeClient client,
        Function<String, Optional<NodeAddress>> find) implements CoordinatorChannel {

    /// Where the owner of the shard of `transactionalId` listens; empty where it has none.
    ///
    /// @param listener by which nodes reach each other
    public static Optional<NodeAddress> find(String transactionalId, ClusterImage image, String listener) {
        return image.shardOf(ShardKind.TRANSACTION, transactionalId)
                .flatMap(shard -> image.coordinator(shard.owner()))
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
    public void close() {
        client.close();
    }
}
