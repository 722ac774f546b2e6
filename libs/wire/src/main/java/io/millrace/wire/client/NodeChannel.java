package io.millrace.wire.client;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;

import io.millrace.base.loop.Ticker;
import io.millrace.wire.codec.Messages;
import io.millrace.wire.error.NodeUnreachable;
import io.millrace.wire.error.Refused;
import io.millrace.wire.frame.BadFrame;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCounted;
import lombok.extern.slf4j.Slf4j;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/// One connection to a node, on its event loop: learns the node's versions first, then sends requests one behind the
/// other and matches the answers, which come in that order. Once it breaks, all that is in flight fails.
@Slf4j
final class NodeChannel extends ChannelInboundHandlerAdapter {
    private static final String SOFTWARE = "millrace";

    private final Channel channel;
    private final NodeLink link;
    private final NodeAddress node;
    private final String clientId;
    private final Ticker ticker;
    private final Queue<Call> inFlight = new ArrayDeque<>();

    private @Nullable NodeVersions versions;
    private int nextCorrelationId;
    private long receivedNanos;
    private boolean flushing;
    private String reason = "closed by the node";
    private @Nullable Throwable cause;

    NodeChannel(Channel channel, NodeLink link, String clientId) {
        this.channel = channel;
        this.link = link;
        this.node = link.node();
        this.clientId = clientId;
        this.ticker = link.ticker();
        this.receivedNanos = ticker.nanos();
    }

    /// Asks for the node's versions; to be called once, before anything is sent.
    CompletableFuture<NodeChannel> negotiate() {
        return ask(ApiKeys.API_VERSIONS.latestVersion(false)).thenCompose(told -> {
            if (told.errorCode() == Errors.UNSUPPORTED_VERSION.code()) {
                return ask((short) 0); // the form every node knows
            }
            return CompletableFuture.completedFuture(told);
        }).thenCompose(told -> {
            if (told.errorCode() != Errors.NONE.code()) {
                close("refused to tell its versions: " + Errors.forCode(told.errorCode()));
                return CompletableFuture.failedFuture(unreachable());
            }
            versions = NodeVersions.of(told);
            return CompletableFuture.completedFuture(this);
        });
    }

    private CompletableFuture<ApiVersionsResponseData> ask(short version) {
        var call = new Call(new ApiVersionsRequestData().setClientSoftwareName(SOFTWARE)
                .setClientSoftwareVersion("1"));
        write(call, version);
        return call.future().thenApply(ApiVersionsResponseData.class::cast);
    }

    boolean isOpen() {
        return channel.isActive();
    }

    /// Whether one more request may be sent now.
    boolean takes() {
        return channel.isActive() && channel.isWritable() && inFlight.size() < link.limits().maxInFlight();
    }

    void send(Call call) {
        var known = versions;
        if (known == null) {
            throw new IllegalStateException("versions of " + node + " are not known yet");
        }
        try {
            write(call, known.highest(call.api(), node));
        } catch (Refused refused) {
            call.fail(refused);
        }
    }

    private void write(Call call, short version) {
        call.sent(nextCorrelationId++, version, ticker.nanos());
        Iterable<ReferenceCounted> parts;
        try {
            parts = Messages.writeRequest(call.request(), version, call.correlationId(), clientId, channel.alloc());
        } catch (RuntimeException unwritable) {
            log.debug("request cannot be written node={} api={} version={}", node, call.api(), version, unwritable);
            call.fail(new Refused(Errors.UNSUPPORTED_VERSION,
                    call.api().name + " version " + version + " of " + node + ": " + unwritable.getMessage()));
            return;
        }
        inFlight.add(call);
        for (var part : parts) {
            channel.write(part).addListener(result -> {
                if (!result.isSuccess()) {
                    broken("write failed", result.cause());
                }
            });
        }
        flushSoon();
    }

    /// Once for all requests that are sent in one go.
    private void flushSoon() {
        if (!flushing) {
            flushing = true;
            channel.eventLoop().execute(() -> {
                flushing = false;
                channel.flush();
            });
        }
    }

    /// Nobody waits for `call` any more, but its answer will come before the others' behind it. Where nothing comes at
    /// all, the node or the way to it is dead, and those others need not wait for their time to run out.
    void expired(Call call) {
        long since = Math.max(receivedNanos, call.sentNanos());
        if (inFlight.contains(call) && ticker.since(since).compareTo(link.limits().maxSilence()) >= 0) {
            close("silent");
        }
    }

    void close(String why) {
        broken(why, null);
    }

    private void broken(String why, @Nullable Throwable failure) {
        if (channel.isOpen()) {
            reason = why;
            cause = failure;
            channel.close();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        var frame = (ByteBuf) message;
        try {
            receivedNanos = ticker.nanos();
            receive(frame);
        } catch (BadFrame bad) {
            broken("sent what is no answer", bad);
        } finally {
            frame.release();
        }
    }

    private void receive(ByteBuf frame) throws BadFrame {
        var call = inFlight.poll();
        if (call == null) {
            throw new BadFrame("answer to nothing");
        }
        var bytes = call.borrows() ? frame.nioBuffer() : copy(frame);
        ApiMessage answer;
        try {
            answer = Messages.readAnswer(call.api(), version(call, bytes), call.correlationId(), bytes);
        } catch (BadFrame bad) {
            call.fail(new NodeUnreachable(node + ": sent what is no answer", bad));
            throw bad;
        }
        call.answer(answer);
        link.advance();
    }

    /// Records of the answer outlive the frame.
    private static ByteBuffer copy(ByteBuf frame) {
        var bytes = ByteBuffer.allocate(frame.readableBytes());
        frame.readBytes(bytes);
        return bytes.flip();
    }

    /// An old node answers an ApiVersions that it does not know in version 0 (KIP-511), told by the error in its place.
    private static short version(Call call, ByteBuffer answer) {
        boolean old = call.api() == ApiKeys.API_VERSIONS && answer.limit() >= Integer.BYTES + Short.BYTES
                && answer.getShort(Integer.BYTES) == Errors.UNSUPPORTED_VERSION.code();
        return old ? 0 : call.version();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        link.advance();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        log.debug("connection closed node={} inFlight={} reason={}", node, inFlight.size(), reason);
        for (var call = inFlight.poll(); call != null; call = inFlight.poll()) {
            call.fail(unreachable());
        }
        link.broken(this);
    }

    private NodeUnreachable unreachable() {
        return new NodeUnreachable(node + ": " + reason, cause);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable failure) {
        if (!(failure instanceof IOException)) {
            log.error("connection failed node={}", node, failure);
        }
        broken("connection failed", failure);
    }
}
