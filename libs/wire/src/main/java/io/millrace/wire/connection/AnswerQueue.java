package io.millrace.wire.connection;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Consumer;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.util.concurrent.Future;
import lombok.extern.slf4j.Slf4j;

/// The requests of a connection in the order they came, until their answers are with the socket. An answer is encoded
/// only when its turn has come and the client reads, so that a slow client holds messages, not buffers.
@Slf4j
final class AnswerQueue {
    private final Channel channel;
    private final Runnable moved;
    private final Consumer<String> broken;
    private final Queue<Exchange> waiting = new ArrayDeque<>();

    /// Encoded and written, not yet all with the socket. File regions do not count in the channel's own water mark.
    private int sending;
    private boolean unflushed;
    private boolean running;

    /// @param moved called when an answer was sent
    /// @param broken called with the reason when the connection cannot go on
    AnswerQueue(Channel channel, Runnable moved, Consumer<String> broken) {
        this.channel = channel;
        this.moved = moved;
        this.broken = broken;
    }

    void add(Exchange exchange) {
        waiting.add(exchange);
    }

    /// Requests taken whose answers are not yet with the socket.
    int inHand() {
        return waiting.size() + sending;
    }

    /// Whether the next answer is still being worked on; false where nothing is in hand, or the client does not read.
    boolean waitForHandler() {
        var next = waiting.peek();
        return next != null && !next.done();
    }

    boolean writable() {
        return channel.isWritable();
    }

    /// Writes the answers whose turn it is. The caller flushes, unless the client has stopped reading.
    void send() {
        if (running) {
            return;
        }
        running = true;
        try {
            for (var next = waiting.peek(); next != null && next.done(); next = waiting.peek()) {
                if (!channel.isWritable()) {
                    flush();
                    if (!channel.isWritable()) {
                        return;
                    }
                }
                waiting.remove();
                send(next);
            }
        } finally {
            running = false;
        }
    }

    private void send(Exchange exchange) {
        exchange.times().written();
        if (!exchange.answered()) {
            unanswered(exchange);
            return;
        }
        try {
            var parts = exchange.write(channel.alloc());
            sending++;
            for (var part : parts.subList(0, parts.size() - 1)) {
                channel.write(part).addListener(this::partSent);
            }
            channel.write(parts.getLast()).addListener(result -> lastSent(exchange, (ChannelFuture) result));
            unflushed = true;
        } catch (RuntimeException unwritable) {
            log.error("answer cannot be written channel={}", channel, unwritable);
            broken.accept("answer cannot be written");
        }
    }

    /// The client of acks=0 learns of a failure by the end of its connection, as in Kafka.
    private void unanswered(Exchange exchange) {
        if (exchange.failed()) {
            exchange.reportFailure();
            flush();
            broken.accept("failed a request that has no answer");
        } else {
            exchange.discard();
            exchange.times().sent();
        }
    }

    private void partSent(Future<? super Void> result) {
        if (!result.isSuccess()) {
            broken.accept("write failed");
        }
    }

    private void lastSent(Exchange exchange, ChannelFuture result) {
        sending--;
        if (result.isSuccess()) {
            exchange.times().sent();
            moved.run();
        } else {
            broken.accept("write failed");
        }
    }

    boolean hasUnflushed() {
        return unflushed;
    }

    void flush() {
        if (unflushed) {
            unflushed = false;
            channel.flush();
        }
    }

    /// Gives up all answers that were not written.
    void discard() {
        for (var exchange = waiting.poll(); exchange != null; exchange = waiting.poll()) {
            if (exchange.done()) {
                exchange.discard();
            } else {
                exchange.abandon();
            }
        }
    }
}
