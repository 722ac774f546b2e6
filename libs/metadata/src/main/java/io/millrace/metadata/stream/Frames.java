package io.millrace.metadata.stream;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/// Messages as frames: four bytes of length, then as many.
final class Frames {
    static final int HEADER_BYTES = 4;

    private Frames() {}

    /// For one reader. Nothing leaks where it is never released.
    static ByteBuf heap(StreamMessage message) {
        var encoded = StreamEncoding.encode(message);
        return Unpooled.buffer(HEADER_BYTES + encoded.length).writeInt(encoded.length).writeBytes(encoded);
    }

    /// For many readers, whose transport then need not copy it. It has to be released.
    static ByteBuf direct(StreamMessage message) {
        var encoded = StreamEncoding.encode(message);
        return Unpooled.directBuffer(HEADER_BYTES + encoded.length).writeInt(encoded.length).writeBytes(encoded);
    }
}
