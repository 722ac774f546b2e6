package io.millrace.wire.client;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import io.netty.channel.EventLoop;
import org.apache.kafka.common.protocol.ApiMessage;
import reactor.netty.resources.LoopResources;

/// All of this process's Kafka-protocol connections to other nodes: one a node, opened when first used, opened again with
/// growing waits after it broke. Callable from any thread; futures complete on an event loop, which must not be blocked.
public interface NodeClient extends AutoCloseable {

    /// Sends `request` at the highest version that both ends know. Requests to one node leave in the order of these calls
    /// and are not repeated: after a failure it may or may not have been carried out.
    ///
    /// Records in `request` are sent from where they are and must not change until the future completes. Records in the
    /// answer are the caller's own.
    ///
    /// @param timeout from this call to the answer, connecting included
    /// @return the answer, whatever errors it carries; or fails with
    ///         [io.millrace.wire.error.Refused] where the node does not speak the API, or not in a version that can express
    ///         the request (UNSUPPORTED_VERSION); with [java.util.concurrent.TimeoutException]; or with
    ///         [io.millrace.wire.error.NodeUnreachable], an IOException naming host and port, where the connection could
    ///         not be had or broke, or too many requests wait for the node already
    /// @throws IllegalArgumentException for a Produce with acks=0, which nobody answers
    <A extends ApiMessage> CompletableFuture<A> send(NodeAddress node, ApiMessage request, Duration timeout);

    /// As [#send], of an answer that is read where it arrived: records in it are lent to `reader`, which is called on the
    /// event loop, and are valid until it returns. It must not block, nor throw.
    ///
    /// @return completes once `reader` returned
    default <A extends ApiMessage> CompletableFuture<Void> borrow(NodeAddress node, ApiMessage request,
            Duration timeout, Consumer<A> reader) {
        return this.<A>send(node, request, timeout).thenAccept(reader);
    }

    /// Closes all connections; what is in flight fails.
    @Override
    void close();

    /// A client with the default limits.
    ///
    /// @param clientId sent with each request
    /// @param loops shared with servers, and not closed by this client
    static NodeClient create(String clientId, LoopResources loops) {
        return create(clientId, loops, ClientLimits.DEFAULTS);
    }

    /// A client with other limits.
    static NodeClient create(String clientId, LoopResources loops, ClientLimits limits) {
        return new PooledNodeClient(clientId, loops, limits, () -> loops.onClient(true).next());
    }

    /// A client whose connections all live on one event loop, to whose other work its answers then belong.
    static NodeClient on(EventLoop eventLoop, String clientId, LoopResources loops, ClientLimits limits) {
        return new PooledNodeClient(clientId, loops, limits, () -> eventLoop);
    }
}
