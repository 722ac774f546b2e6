package io.millrace.broker.transaction;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import io.millrace.wire.client.NodeAddress;
import io.millrace.wire.error.NodeUnreachable;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData;
import org.apache.kafka.common.message.AddPartitionsToTxnResponseData;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData;
import org.apache.kafka.common.message.WriteTxnMarkersResponseData;

/// The way to the coordinators of transactions. Any thread may call.
public interface CoordinatorChannel extends AutoCloseable {

    /// Who coordinates that id's transactions; empty where nobody does now.
    Optional<NodeAddress> coordinatorOf(String transactionalId);

    /// Sends `request`, of version 4 or later.
    ///
    /// @return completes on any thread; fails where the coordinator cannot be reached, or does not answer in time
    CompletableFuture<AddPartitionsToTxnResponseData> ask(NodeAddress coordinator,
            AddPartitionsToTxnRequestData request, Duration timeout);

    /// Has the owner of a shard of the groups write a marker into its partition.
    ///
    /// @param partition of `__consumer_offsets`
    /// @param request names that partition alone
    /// @return completes on any thread; fails where the shard has no owner, or it cannot be reached in time
    CompletableFuture<WriteTxnMarkersResponseData> end(int partition, WriteTxnMarkersRequestData request,
            Duration timeout);

    /// What is in flight fails.
    @Override
    void close();

    /// A cluster in which nobody coordinates transactions.
    CoordinatorChannel NONE = new CoordinatorChannel() {
        @Override
        public Optional<NodeAddress> coordinatorOf(String transactionalId) {
            return Optional.empty();
        }

        @Override
        public CompletableFuture<AddPartitionsToTxnResponseData> ask(NodeAddress coordinator,
                AddPartitionsToTxnRequestData request, Duration timeout) {
            return CompletableFuture.failedFuture(new NodeUnreachable(coordinator + " does not coordinate", null));
        }

        @Override
        public CompletableFuture<WriteTxnMarkersResponseData> end(int partition, WriteTxnMarkersRequestData request,
                Duration timeout) {
            return CompletableFuture.failedFuture(new NodeUnreachable("nobody owns shard " + partition, null));
        }

        @Override
        public void close() {
            // There is nothing to close.
        }
    };
}
