package io.millrace.wire.connection;

import java.io.IOException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

import io.millrace.base.loop.Ticker;
import io.millrace.wire.api.ApiHandler;
import io.millrace.wire.api.ApiRegistry;
import io.millrace.wire.api.ClientSoftware;
import io.millrace.wire.api.RequestContext;
import io.millrace.wire.codec.FileSlice;
import io.millrace.wire.codec.Messages;
import io.millrace.wire.connection.ConnectionState.Closed;
import io.millrace.wire.connection.ConnectionState.Event;
import io.millrace.wire.connection.ConnectionState.Open;
import io.millrace.wire.error.Refused;
import io.millrace.wire.frame.BadFrame;
import io.millrace.wire.frame.FrameDecoder;
import io.millrace.wire.frame.FrameMemory;
import io.millrace.wire.frame.RequestHead;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.handler.timeout.IdleStateHandler;
import lombok.extern.slf4j.Slf4j;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/// One connection, on its event loop: takes frames, hands requests to their handlers as they arrive, and has
/// [AnswerQueue] send the answers in that order. Reads nothing while too much is in hand or the client does not read.
@Slf4j
public final class KafkaConnection extends ChannelInboundHandlerAdapter {
    /// The version whose answer every client can read, whatever version it asked with (KIP-511).
    private static final short ANSWER_TO_UNKNOWN_VERSION = 0;

    private final ConnectionLimits limits;
    private final ApiRegistry registry;
    private final NetworkMetrics metrics;
    private final NetworkMetrics.Listener meters;
    private final Ticker ticker;
    private final FrameDecoder decoder;
    private final AnswerQueue answers;
    private final Channel channel;

    private RequestContext.Connection connection;
    private ConnectionState state = new Open();
    private boolean reading;
    private boolean flushing;

    private KafkaConnection(Channel channel, RequestContext.Connection connection, ConnectionLimits limits,
            FrameMemory memory, ApiRegistry registry, NetworkMetrics metrics, Ticker ticker) {
        this.channel = channel;
        this.connection = connection;
        this.limits = limits;
        this.registry = registry;
        this.metrics = metrics;
        this.meters = metrics.listener(connection.listener());
        this.ticker = ticker;
        this.decoder = new FrameDecoder(limits.maxRequestBytes(), memory);
        this.answers = new AnswerQueue(channel, this::moved, this::broken);
    }

    /// Puts a new connection's handlers on the pipeline of `channel`, which has them for life; on its event loop.
    ///
    /// @param memory for requests being received, shared with other connections
    /// @return to ask it for [#drain]
    public static KafkaConnection begin(Channel channel, RequestContext.Connection connection, ConnectionLimits limits,
            FrameMemory memory, ApiRegistry registry, NetworkMetrics metrics, Ticker ticker) {
        var begun = new KafkaConnection(channel, connection, limits, memory, registry, metrics, ticker);
        begun.meters.opened();
        channel.pipeline()
                .addLast("idle", new IdleStateHandler(true, 0, 0, limits.maxIdle().toMillis(), TimeUnit.MILLISECONDS))
                .addLast("frames", begun.decoder)
                .addLast("requests", begun);
        return begun;
    }

    /// Takes no more requests, and closes once those in hand are answered. From any thread; harmless when repeated.
    public void drain() {
        connection.loop().execute(() -> {
            decoder.hold();
            on(new Event.DrainAsked());
            moved();
        });
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        reading = true;
        var frame = (ByteBuf) message;
        try {
            if (state instanceof Open) {
                take(frame);
            }
        } catch (BadFrame bad) {
            invalid(bad);
        } finally {
            frame.release();
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        reading = false;
        answers.send();
        answers.flush();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        moved();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) throws Exception {
        switch (event) {
            case FrameDecoder.Ended _ -> {
                on(new Event.InputEnded());
                moved();
            }
            case IdleStateEvent _ -> {
                if (!answers.waitForHandler()) {
                    broken("idle");
                }
            }
            default -> super.userEventTriggered(ctx, event);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        broken("client is gone");
        answers.discard();
        meters.closed(connection.software());
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable failure) {
        switch (failure) {
            case BadFrame bad -> invalid(bad);
            case IOException network -> broken(network.toString());
            default -> {
                log.error("connection failed connection={}", connection.id(), failure);
                broken("failed");
            }
        }
    }

    private void take(ByteBuf frame) throws BadFrame {
        long receivedNanos = ticker.nanos();
        int sizeBytes = frame.readableBytes();
        var bytes = frame.nioBuffer();
        var head = RequestHead.read(bytes);
        if (!registry.table().answers(head.api(), head.version())) {
            refuseVersion(head, receivedNanos, sizeBytes);
            return;
        }
        var request = Messages.readRequest(head.api(), head.version(), bytes);
        if (request instanceof ApiVersionsRequestData versions) {
            learn(versions);
        }
        var exchange = exchange(head, request, receivedNanos, sizeBytes);
        answers.add(exchange);
        var future = exchange.handle();
        exchange.times().handled();
        if (future.isDone()) {
            future.whenComplete((answer, failure) -> complete(exchange, answer, failure));
        } else {
            future.whenComplete((answer, failure) -> completeOnLoop(exchange, answer, failure));
        }
        regulate();
    }

    /// As Kafka: ApiVersions is answered in any version, of anything else the connection is closed.
    private void refuseVersion(RequestHead head, long receivedNanos, int sizeBytes) throws BadFrame {
        if (head.api() != ApiKeys.API_VERSIONS) {
            throw new BadFrame("not answered: " + head.api().name + " version " + head.version());
        }
        var asked = new RequestHead(head.api(), ANSWER_TO_UNKNOWN_VERSION, head.correlationId(), head.clientId());
        var exchange = exchange(asked, new ApiVersionsRequestData(), receivedNanos, sizeBytes);
        answers.add(exchange);
        exchange.times().handled();
        complete(exchange, null, new Refused(Errors.UNSUPPORTED_VERSION, "version " + head.version()));
        regulate();
    }

    @SuppressWarnings("unchecked") // request and handler are of one API, hence of matching types
    private Exchange exchange(RequestHead head, ApiMessage request, long receivedNanos, int sizeBytes) {
        var handler = (ApiHandler<ApiMessage, ApiMessage>) registry.handler(head.api());
        var context = new RequestContext(head.api(), head.version(), head.correlationId(), head.clientId(), connection);
        var times = new RequestTimes(ticker, metrics.of(head.api(), request), receivedNanos, sizeBytes, head.version());
        return new Exchange(handler, request, context, times);
    }

    private void learn(ApiVersionsRequestData versions) {
        if (versions.clientSoftwareName().isEmpty() || !connection.software().equals(ClientSoftware.UNKNOWN)) {
            return;
        }
        var told = new ClientSoftware(versions.clientSoftwareName(), versions.clientSoftwareVersion());
        connection = connection.with(told);
        meters.software(told);
    }

    private void completeOnLoop(Exchange exchange, @Nullable ApiMessage answer, @Nullable Throwable failure) {
        if (connection.loop().inLoop()) {
            complete(exchange, answer, failure);
            return;
        }
        try {
            connection.loop().execute(() -> complete(exchange, answer, failure));
        } catch (RejectedExecutionException _) {
            // The event loop has ended, and its connections with it.
            if (answer != null) {
                FileSlice.releaseAll(answer);
            }
        }
    }

    private void complete(Exchange exchange, @Nullable ApiMessage answer, @Nullable Throwable failure) {
        exchange.complete(answer, failure);
        exchange.times().completed();
        if (state instanceof Closed) {
            exchange.discard();
            exchange.reportFailure();
            return;
        }
        moved();
    }

    /// Something changed that may let answers go, requests come, or the connection end.
    private void moved() {
        answers.send();
        if (!reading) {
            flushSoon();
        }
        if (answers.inHand() == 0) {
            on(new Event.NothingInHand());
        }
        regulate();
    }

    /// At the end of the event loop's turn, so that answers that become ready in one turn go out together.
    private void flushSoon() {
        if (!flushing && answers.hasUnflushed()) {
            flushing = true;
            channel.eventLoop().execute(() -> {
                flushing = false;
                answers.flush();
            });
        }
    }

    private void regulate() {
        if (state instanceof Open && answers.inHand() < limits.maxInFlight() && answers.writable()) {
            decoder.resume();
        } else {
            decoder.hold();
        }
    }

    private void invalid(BadFrame bad) {
        if (state instanceof Open) {
            meters.invalid();
            log.debug("invalid request connection={} reason={}", connection.id(), bad.getMessage());
        }
        broken("invalid request");
    }

    private void broken(String reason) {
        on(new Event.Broken(reason));
    }

    private void on(Event event) {
        var was = state;
        state = ConnectionState.next(was, event);
        if (state instanceof Closed(String reason) && !(was instanceof Closed)) {
            log.debug("connection closed connection={} reason={}", connection.id(), reason);
            decoder.hold();
            channel.close();
        }
    }
}
