package io.millrace.metadata.stream;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import io.millrace.base.loop.Ticker;
import io.millrace.metadata.encoding.MalformedMessage;
import io.millrace.metadata.image.MetadataVersion;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.concurrent.Future;
import lombok.extern.slf4j.Slf4j;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;

/// One subscriber: what comes up is told to the listener, what goes down is taken from the backlog at the moment at which
/// the stream can take it. So nothing queues up for a slow subscriber; it skips. Everything but [#wake] runs on the event
/// loop of the connection.
@Slf4j
final class SubscriberStream extends ChannelInboundHandlerAdapter implements Publisher<ByteBuf>, Subscription {
    private static final int MAX_FRAME_BYTES_UP = 1 << 16;

    private final Channel channel;
    private final Backlog backlog;
    private final StreamConfig config;
    private final StreamEvents events;
    private final long id;
    private final FrameReader frames = new FrameReader(MAX_FRAME_BYTES_UP);
    private final AtomicBoolean woken = new AtomicBoolean();
    private org.reactivestreams.@Nullable Subscriber<? super ByteBuf> down;
    private @Nullable Subscriber subscriber;
    private @Nullable Future<?> pulse;
    private MetadataVersion sent = MetadataVersion.NONE;
    private long demand;
    private long heardNanos = Ticker.SYSTEM.nanos();
    private boolean heartbeatDue;
    private boolean draining;
    private boolean ended;

    SubscriberStream(Channel channel, long id, Backlog backlog, StreamConfig config, StreamEvents events) {
        this.channel = channel;
        this.id = id;
        this.backlog = backlog;
        this.config = config;
        this.events = events;
    }

    /// Takes over the channel's writability and begins to listen for the peer's silence.
    void start() {
        long millis = config.heartbeat().toMillis();
        pulse = channel.eventLoop().scheduleAtFixedRate(this::pulse, millis, millis, TimeUnit.MILLISECONDS);
    }

    long id() {
        return id;
    }

    /// Something new is in the backlog. Callable from any thread.
    void wake() {
        if (woken.compareAndSet(false, true)) {
            channel.eventLoop().execute(() -> {
                woken.set(false);
                drain();
            });
        }
    }

    /// Ends the stream. Callable from any thread.
    void drop(String reason) {
        channel.eventLoop().execute(() -> end(reason));
    }

    /// Bytes came up.
    void arrived(ByteBuf bytes) {
        try {
            for (var frame : frames.read(bytes)) {
                StreamEncoding.decode(frame).ifPresent(this::said);
            }
        } catch (MalformedMessage malformed) {
            log.warn("stream={} subscriber={} remote={} sent rubbish: {}", id, subscriber, channel.remoteAddress(),
                    malformed.getMessage());
            end("rubbish");
        }
    }

    private void said(StreamMessage message) {
        heardNanos = Ticker.SYSTEM.nanos();
        if (ended) {
            return;
        }
        switch (message) {
            case StreamMessage.Greeting(var hello) when subscriber == null -> greeted(hello);
            case StreamMessage.Applied(var version) when subscriber != null ->
                events.listener().applied(subscriber, version);
            case StreamMessage.Heartbeat _ when subscriber != null -> {
            }
            case StreamMessage unexpected -> throw new MalformedMessage(unexpected + " out of turn");
        }
    }

    private void greeted(Hello hello) {
        subscriber = new Subscriber(id, hello, String.valueOf(channel.remoteAddress()));
        sent = hello.last();
        log.info("stream up subscriber={} nodeEpoch={} last={} remote={}", subscriber, hello.nodeEpoch(), sent,
                subscriber.remote());
        events.listener().connected(subscriber);
        drain();
    }

    private void pulse() {
        var left = config.silence().minus(Ticker.SYSTEM.since(heardNanos));
        if (left.compareTo(config.heartbeat()) < 0) {
            // Not a whole heartbeat later: whoever writes to a node that hangs waits for this.
            channel.eventLoop().schedule(this::listen, Math.max(0, left.toMillis()), TimeUnit.MILLISECONDS);
        }
        heartbeatDue = true;
        drain();
    }

    private void listen() {
        var silent = Ticker.SYSTEM.since(heardNanos);
        if (silent.compareTo(config.silence()) >= 0) {
            end("silent for " + Duration.ofMillis(silent.toMillis()));
        }
    }

    private void drain() {
        if (draining) {
            return;
        }
        draining = true;
        try {
            while (ready()) {
                var next = backlog.next(sent);
                if (next != null) {
                    sent = next.to();
                    events.sent(next.isSnapshot());
                    emit(next.frame());
                } else if (heartbeatDue) {
                    emit(Frames.heap(new StreamMessage.Heartbeat(sent)));
                } else {
                    return;
                }
            }
        } finally {
            draining = false;
        }
    }

    /// The transport would take any number of frames into its own queues; only its writability says what the peer takes.
    private boolean ready() {
        return !ended && down != null && subscriber != null && demand > 0 && channel.isWritable();
    }

    private void emit(ByteBuf frame) {
        if (down == null) {
            frame.release();
            return;
        }
        heartbeatDue = false;
        demand--;
        down.onNext(frame);
    }

    /// Ends it from this side, once.
    void end(String reason) {
        if (ended) {
            return;
        }
        ended = true;
        if (pulse != null) {
            pulse.cancel(false);
        }
        events.ended().accept(this);
        if (subscriber != null) {
            log.info("stream down subscriber={} sent={} reason={}", subscriber, sent, reason);
            events.listener().disconnected(subscriber);
        }
        if (down != null) {
            down.onComplete();
        }
        // Completing ends only our half; the peer may never end its own.
        channel.close();
    }

    @Override
    public void subscribe(org.reactivestreams.Subscriber<? super ByteBuf> transport) {
        down = transport;
        transport.onSubscribe(this);
    }

    @Override
    public void request(long more) {
        channel.eventLoop().execute(() -> {
            demand = demand + more < 0 ? Long.MAX_VALUE : demand + more;
            drain();
        });
    }

    @Override
    public void cancel() {
        drop("connection closed");
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) throws Exception {
        drain();
        super.channelWritabilityChanged(context);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
        end("connection closed");
        super.channelInactive(context);
    }
}
