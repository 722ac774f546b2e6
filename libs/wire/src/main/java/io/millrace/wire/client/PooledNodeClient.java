package io.millrace.wire.client;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

import io.millrace.base.check.Check;
import io.millrace.base.loop.Ticker;
import io.millrace.wire.connection.EventLoops;
import io.millrace.wire.error.NodeUnreachable;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.protocol.ApiMessage;
import reactor.netty.resources.LoopResources;

/// A link a node, made when first used and kept: nodes are few.
final class PooledNodeClient implements NodeClient {
    private final ClientLimits limits;
    private final LoopResources loops;
    private final NodeConnector connector;
    private final Map<NodeAddress, NodeLink> links = new ConcurrentHashMap<>();

    private volatile boolean closed;

    PooledNodeClient(String clientId, LoopResources loops, ClientLimits limits) {
        this.limits = limits;
        this.loops = loops;
        this.connector = new NodeConnector(clientId, loops);
    }

    @Override
    @SuppressWarnings("unchecked") // the answer's class goes with the request's, by the API's key
    public <A extends ApiMessage> CompletableFuture<A> send(NodeAddress node, ApiMessage request, Duration timeout) {
        Check.argument(!(request instanceof ProduceRequestData produce) || produce.acks() != 0,
                "a produce without an answer cannot be waited for: acks=0 to %s", node);
        if (closed) {
            return CompletableFuture.failedFuture(new NodeUnreachable(node + ": the client is closed", null));
        }
        return (CompletableFuture<A>) links.computeIfAbsent(node, this::link).send(request, timeout);
    }

    private NodeLink link(NodeAddress node) {
        var eventLoop = loops.onClient(true).next();
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
