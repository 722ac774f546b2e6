package io.millrace.coordinator.marker;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

import io.millrace.wire.api.MarkerStamp;
import io.millrace.wire.client.NodeAddress;
import io.millrace.wire.client.NodeClient;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData;
import org.apache.kafka.common.message.WriteTxnMarkersResponseData;

/// WriteTxnMarkers of this coordinator, each with a number, so that nobody carries out one that was given up: it may yet lie
/// with a node that hangs. Callable from any thread.
public final class MarkerCalls {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final NodeClient client;
    private final int coordinator;
    private final LongSupplier registration;
    private final AtomicLong lastNumber = new AtomicLong();

    /// @param coordinator node id of this process
    /// @param registration under which it is a member of the cluster, higher than that of all before it
    public MarkerCalls(NodeClient client, int coordinator, LongSupplier registration) {
        this.client = client;
        this.coordinator = coordinator;
        this.registration = registration;
    }

    /// To be called again for that node only when the call before is answered or given up.
    CompletableFuture<WriteTxnMarkersResponseData> send(NodeAddress node, WriteTxnMarkersRequestData request) {
        new MarkerStamp(coordinator, registration.getAsLong(), lastNumber.incrementAndGet()).mark(request);
        try {
            return client.send(node, request, TIMEOUT);
        } catch (RuntimeException failure) {
            return CompletableFuture.failedFuture(failure);
        }
    }
}
