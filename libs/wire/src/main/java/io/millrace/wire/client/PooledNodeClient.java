package io.millrace.wire.client;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.millrace.base.check.Check;
import io.millrace.base.loop.Ticker;
import io.millrace.wire.connection.EventLoops;
import io.millrace.wire.error.NodeUnreachable;
import io.netty.channel.EventLoop;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.protocol.ApiMessage;
import reactor.netty.resources.LoopResources;

/// A link a node, made when first used and kept: nodes are few.
final class PooledNodeClient implements NodeClient {
    private final ClientLimits limits;
    private final Supplier<EventLoop> eventLoops;
    private final NodeConnector connector;
    private final Map<NodeAddress, NodeLink> links = new ConcurrentHashMap<>();

    private volatile boolean closed;

    /// @param eventLoops asked for each node that is new
    PooledNodeClient(String clientId, LoopResources loops, ClientLimits limits, Supplier<EventLoop> eventLoops) {
        this.limits = limits;
        this.eventLoops = eventLoops;
        this.connector = new NodeConnector(clientId, loops);
    }

    @Override
    public <A extends ApiMessage> CompletableFuture<A> send(NodeAddress node, ApiMessage request, Duration timeout) {
        return send(node, new Call(request), timeout);
    }

    @Override
    @SuppressWarnings("unchecked") // as below
    public <A extends ApiMessage> CompletableFuture<Void> borrow(NodeAddress node, ApiMessage request,
            Duration timeout, Consumer<A> reader) {
        return send(node, new Call(request, answer -> reader.accept((A) answer)), timeout).thenAccept(_ -> {});
    }

    @SuppressWarnings("unchecked") // the answer's class goes with the request's, by the API's key
    private <A extends ApiMessage> CompletableFuture<A> send(NodeAddress node, Call call, Duration timeout) {
        var request = call.request();
        Check.argument(!(request instanceof ProduceRequestData produce) || produce.acks() != 0,
                "a produce without an answer cannot be waited for: acks=0 to %s", node);
        if (closed) {
            return CompletableFuture.failedFuture(new NodeUnreachable(node + ": the client is closed", null));
        }
        return (CompletableFuture<A>) links.computeIfAbsent(node, this::link).send(call, timeout);
    }

    private NodeLink link(NodeAddress node) {
        var eventLoop = eventLoops.get();
        return new NodeLink(node, limits, EventLoops.loopOf(eventLoop), Ticker.SYSTEM, link -> connector.connect(
                eventLoop, link));
    }

    @Override
    public void close() {
        closed = true;
        links.values().forEach(NodeLink::close);
        connector.close();
    }
}
