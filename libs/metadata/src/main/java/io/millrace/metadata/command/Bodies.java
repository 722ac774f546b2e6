package io.millrace.metadata.command;

import java.io.ByteArrayOutputStream;

import io.netty.buffer.ByteBuf;
import reactor.core.publisher.Mono;
import reactor.netty.ByteBufFlux;

/// Whole bodies, up to a bound.
final class Bodies {
    /// More than a thousand topics with a configuration each, and far less than would hurt.
    static final int MAX_BYTES = 8 << 20;

    private Bodies() {}

    /// A body was larger than [#MAX_BYTES].
    static final class TooLarge extends RuntimeException {
        TooLarge() {
            super("body of more than " + MAX_BYTES + " bytes", null, false, false);
        }
    }

    /// Fails with [TooLarge].
    static Mono<byte[]> whole(ByteBufFlux body) {
        return body.collect(ByteArrayOutputStream::new, Bodies::append).map(ByteArrayOutputStream::toByteArray);
    }

    private static void append(ByteArrayOutputStream bytes, ByteBuf part) {
        if (bytes.size() + part.readableBytes() > MAX_BYTES) {
            throw new TooLarge();
        }
        var copy = new byte[part.readableBytes()];
        part.readBytes(copy);
        bytes.writeBytes(copy);
    }
}
