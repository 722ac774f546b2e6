package io.millrace.wire.client;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;

import io.millrace.base.loop.Loop;
import io.millrace.base.loop.Ticker;
import io.millrace.wire.error.NodeUnreachable;
import lombok.extern.slf4j.Slf4j;
import org.apache.kafka.common.protocol.ApiMessage;
import org.jspecify.annotations.Nullable;

/// One node, as this process knows it: the requests that wait for it, and its connection while there is one. Confined to
/// one event loop; [#send] may be called from any thread.
@Slf4j
final class NodeLink {
    private final NodeAddress node;
    private final ClientLimits limits;
    private final Loop loop;
    private final Ticker ticker;
    private final Connector connector;
    private final Deque<Call> waiting = new ArrayDeque<>();

    private State state = new Idle(0);

    /// Where the link is.
    ///
    ///     Idle ──first request──► Connecting ──► Up ──broken──► Idle
    ///                             Connecting ──failed──► Resting ──backoff over──► Connecting where something waits, or Idle
    ///     (any) ──► Closed
    private sealed interface State {}

    /// @param failures to connect since it was last up
    private record Idle(int failures) implements State {}

    private record Connecting(int failures) implements State {}

    private record Resting(int failures) implements State {}

    private record Up(NodeChannel channel) implements State {}

    private record Closed() implements State {}

    /// Opens connections.
    interface Connector {
        /// @return a connection whose node has told its versions; fails with [NodeUnreachable]
        CompletableFuture<NodeChannel> connect(NodeLink link);
    }

    NodeLink(NodeAddress node, ClientLimits limits, Loop loop, Ticker ticker, Connector connector) {
        this.node = node;
        this.limits = limits;
        this.loop = loop;
        this.ticker = ticker;
        this.connector = connector;
    }

    CompletableFuture<ApiMessage> send(Call call, Duration timeout) {
        try {
            loop.execute(() -> enqueue(call, timeout));
        } catch (RejectedExecutionException closed) {
            call.fail(new NodeUnreachable(node + ": the client is closed", closed));
        }
        return call.future();
    }

    void close() {
        try {
            loop.execute(this::closeOnLoop);
        } catch (RejectedExecutionException ended) {
            log.debug("event loop ended before its link node={} reason={}", node, ended.toString());
        }
    }

    private void closeOnLoop() {
        var was = state;
        state = new Closed();
        if (was instanceof Up(NodeChannel channel)) {
            channel.close("client closed");
        }
        failWaiting(new NodeUnreachable(node + ": the client is closed", null));
    }

    private void enqueue(Call call, Duration timeout) {
        loop.assertInLoop();
        if (state instanceof Closed) {
            call.fail(new NodeUnreachable(node + ": the client is closed", null));
            return;
        }
        if (waiting.size() >= limits.maxWaiting()) {
            call.fail(new NodeUnreachable(node + ": " + waiting.size() + " requests wait for it already", null));
            return;
        }
        call.expiresBy(loop.schedule(timeout, () -> expire(call)));
        waiting.add(call);
        advance();
    }

    /// Sends what may be sent; connects where there is no connection yet.
    void advance() {
        switch (state) {
            case Idle(int failures) -> {
                if (!waiting.isEmpty()) {
                    connect(failures);
                }
            }
            case Up(NodeChannel channel) -> {
                while (!waiting.isEmpty() && channel.takes()) {
                    var next = waiting.remove();
                    if (!next.done()) {
                        channel.send(next);
                    }
                }
            }
            case Connecting _,Resting _,Closed _ -> {
            }
        }
    }

    /// The connection `channel` is no more; what it had in flight was failed by it.
    void broken(NodeChannel channel) {
        if (state instanceof Up(NodeChannel up) && up == channel) {
            state = new Idle(0);
            advance();
        }
    }

    private void connect(int failures) {
        state = new Connecting(failures);
        connector.connect(this).whenComplete((channel, failure) -> loop.execute(() -> {
            if (channel != null) {
                connected(channel);
            } else {
                unconnected(failures, failure);
            }
        }));
    }

    private void connected(NodeChannel channel) {
        if (state instanceof Closed) {
            channel.close("client closed");
        } else if (channel.isOpen()) {
            state = new Up(channel);
            advance();
        } else {
            unconnected(0, null);
        }
    }

    /// What waits fails at once: the caller knows better than this link what else it can do.
    private void unconnected(int failures, @Nullable Throwable failure) {
        if (state instanceof Closed) {
            return;
        }
        var delay = limits.backoff().delay(failures, ThreadLocalRandom.current());
        log.debug("node unreachable node={} failures={} delay={} reason={}", node, failures + 1, delay, failure);
        state = new Resting(failures + 1);
        loop.schedule(delay, () -> {
            if (state instanceof Resting(int soFar)) {
                state = new Idle(soFar);
                advance();
            }
        });
        failWaiting(failure instanceof NodeUnreachable unreachable
                ? unreachable
                : new NodeUnreachable(node + ": cannot connect", failure));
    }

    private void expire(Call call) {
        if (call.done()) {
            return;
        }
        call.expire(node);
        if (!waiting.remove(call) && state instanceof Up(NodeChannel channel)) {
            channel.expired(call);
        }
    }

    private void failWaiting(NodeUnreachable failure) {
        for (var call = waiting.poll(); call != null; call = waiting.poll()) {
            call.fail(failure);
        }
    }

    ClientLimits limits() {
        return limits;
    }

    NodeAddress node() {
        return node;
    }

    Ticker ticker() {
        return ticker;
    }
}
