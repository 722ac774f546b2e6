package io.millrace.wire.frame;

import java.util.ArrayDeque;
import java.util.Queue;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.ChannelInputShutdownReadComplete;
import org.jspecify.annotations.Nullable;

/// Cuts the stream into frames: four bytes of size, then that many bytes. Each frame goes up the pipeline without its
/// size, as one contiguous buffer that the next handler releases before it returns: a slice where it arrived whole, else
/// a direct buffer of exactly its size (one copy; a growing buffer would copy more often).
///
/// Nothing is read from the connection while [#hold] is in force or memory is short; at most what one read brought then
/// waits here. After the last frame of a peer that has closed its side, [Ended] goes up as a user event. A size out of
/// bounds goes up as [BadFrame]; nothing is decoded after it.
public final class FrameDecoder extends ChannelInboundHandlerAdapter {
    private static final int UNKNOWN = -1;

    /// The peer sends nothing more, and all that it sent has gone up.
    public record Ended() {}

    private final int maxBytes;
    private final FrameMemory memory;
    private final Queue<ByteBuf> chunks = new ArrayDeque<>();

    private @Nullable ChannelHandlerContext context;
    private int size = UNKNOWN;
    private int sizeBytesRead;
    private int sizeSoFar;
    private @Nullable ByteBuf partial;
    private boolean held;
    private boolean waitingForMemory;
    private boolean decoding;
    private boolean inputEnded;
    private boolean done;

    /// @param maxBytes of a frame
    /// @param memory shared by connections; frames that arrive whole take none of it
    public FrameDecoder(int maxBytes, FrameMemory memory) {
        this.maxBytes = maxBytes;
        this.memory = memory;
    }

    /// Stops decoding and reading. On the event loop; harmless when repeated.
    public void hold() {
        held = true;
        read();
    }

    /// Goes on where [#hold] stopped: frames that wait here go up within this call.
    public void resume() {
        if (held) {
            held = false;
            goOn();
        }
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
        read();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        var chunk = (ByteBuf) message;
        if (done) {
            chunk.release();
            return;
        }
        chunks.add(chunk);
        decode(ctx);
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) throws Exception {
        if (event instanceof ChannelInputShutdownEvent || event instanceof ChannelInputShutdownReadComplete) {
            inputEnded = true;
            decode(ctx);
            ctx.fireChannelReadComplete();
            return;
        }
        super.userEventTriggered(ctx, event);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) throws Exception {
        discard();
        super.channelInactive(ctx);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        discard();
        context = null;
    }

    private void goOn() {
        var ctx = context;
        if (ctx != null && !done && !decoding) {
            decode(ctx);
            ctx.fireChannelReadComplete();
        }
        read();
    }

    private void read() {
        var ctx = context;
        if (ctx != null) {
            ctx.channel().config().setAutoRead(!held && !waitingForMemory);
        }
    }

    /// The next handler may call [#hold] and [#resume] from inside; the flag keeps frames from overtaking each other.
    private void decode(ChannelHandlerContext ctx) {
        if (decoding) {
            return;
        }
        decoding = true;
        try {
            while (!held && !waitingForMemory && !done) {
                var chunk = chunks.peek();
                if (chunk == null) {
                    end(ctx);
                    return;
                }
                if (chunk.isReadable()) {
                    advance(ctx, chunk);
                } else {
                    chunks.remove();
                    chunk.release();
                }
            }
        } finally {
            decoding = false;
        }
    }

    private void end(ChannelHandlerContext ctx) {
        if (inputEnded) {
            discard();
            ctx.fireUserEventTriggered(new Ended());
        }
    }

    private void advance(ChannelHandlerContext ctx, ByteBuf chunk) {
        if (size == UNKNOWN && !readSize(ctx, chunk)) {
            return;
        }
        if (partial == null && chunk.readableBytes() >= size) {
            var frame = chunk.readRetainedSlice(size);
            size = UNKNOWN;
            ctx.fireChannelRead(frame);
            return;
        }
        if (partial == null && !begin(ctx)) {
            return;
        }
        fill(ctx, chunk);
    }

    private boolean readSize(ChannelHandlerContext ctx, ByteBuf chunk) {
        while (sizeBytesRead < Integer.BYTES && chunk.isReadable()) {
            sizeSoFar = sizeSoFar << Byte.SIZE | chunk.readUnsignedByte();
            sizeBytesRead++;
        }
        if (sizeBytesRead < Integer.BYTES) {
            return false;
        }
        int told = sizeSoFar;
        sizeBytesRead = 0;
        sizeSoFar = 0;
        if (told <= 0 || told > maxBytes) {
            discard();
            ctx.fireExceptionCaught(new BadFrame("frame of " + told + " bytes, allowed are 1 to " + maxBytes));
            return false;
        }
        size = told;
        return true;
    }

    private boolean begin(ChannelHandlerContext ctx) {
        if (!memory.take(size, () -> ctx.executor().execute(this::memoryGiven))) {
            waitingForMemory = true;
            read();
            return false;
        }
        partial = ctx.alloc().directBuffer(size, size);
        return true;
    }

    private void memoryGiven() {
        if (waitingForMemory) {
            waitingForMemory = false;
            goOn();
        }
    }

    private void fill(ChannelHandlerContext ctx, ByteBuf chunk) {
        var frame = partial;
        if (frame == null) {
            return;
        }
        chunk.readBytes(frame, Math.min(frame.writableBytes(), chunk.readableBytes()));
        if (frame.isWritable()) {
            return;
        }
        int whole = size;
        partial = null;
        size = UNKNOWN;
        try {
            ctx.fireChannelRead(frame);
        } finally {
            memory.give(whole);
        }
    }

    private void discard() {
        done = true;
        if (partial != null) {
            partial.release();
            partial = null;
            memory.give(size);
        }
        for (var chunk = chunks.poll(); chunk != null; chunk = chunks.poll()) {
            chunk.release();
        }
    }
}
