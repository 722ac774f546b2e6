package io.millrace.wire.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FrameDecoderTest {
    private static final int MAX = 1_000;

    private final FrameMemory memory = new FrameMemory(500);
    private final FrameDecoder decoder = new FrameDecoder(MAX, memory);
    private final List<String> frames = new ArrayList<>();
    private final List<ByteBuf> chunks = new ArrayList<>();
    private final EmbeddedChannel channel = new EmbeddedChannel(decoder, new Collector());

    private final class Collector extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            var frame = (ByteBuf) message;
            frames.add(frame.toString(StandardCharsets.ISO_8859_1));
            assertThat(frame.nioBufferCount()).isEqualTo(1);
            frame.release();
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
            frames.add(event.getClass().getSimpleName());
        }
    }

    @ParameterizedTest(name = "-Dseed={0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void howeverTheStreamIsCutTheSameFramesComeOut(long seed) {
        var random = new Random(seed);
        var expected = new ArrayList<String>();
        var stream = Unpooled.buffer();
        for (int i = 0; i < 100; i++) {
            var frame = "x".repeat(random.nextInt(300)) + i;
            expected.add(frame);
            stream.writeInt(frame.length()).writeBytes(frame.getBytes(StandardCharsets.ISO_8859_1));
        }
        while (stream.isReadable()) {
            receive(stream.readBytes(Math.min(stream.readableBytes(), 1 + random.nextInt(random.nextBoolean()
                    ? 7
                    : 700))));
            switch (random.nextInt(4)) {
                case 0 -> decoder.hold();
                case 1 -> decoder.resume();
                default -> {
                }
            }
        }
        decoder.resume();

        assertThat(frames).isEqualTo(expected);
        assertThat(memory.available()).isEqualTo(500);
        assertAllReleased();
        stream.release();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE, MAX + 1, Integer.MAX_VALUE})
    void aSizeOutOfBoundsIsTheEnd(int size) {
        receive(Unpooled.buffer().writeInt(1).writeByte('a').writeInt(size).writeInt(1).writeByte('b'));

        assertThatThrownBy(channel::checkException).isInstanceOf(BadFrame.class).hasMessageContaining("" + size);
        assertThat(frames).containsExactly("a");
        receive(Unpooled.buffer().writeInt(1).writeByte('c'));
        assertThat(frames).containsExactly("a");
        assertAllReleased();
    }

    @Test
    void theLargestFrameAllowedPassesThoughItExceedsTheMemory() {
        receive(Unpooled.buffer().writeInt(MAX).writeZero(10));
        assertThat(memory.available()).isEqualTo(500 - MAX);
        receive(Unpooled.buffer().writeZero(MAX - 10));

        assertThat(frames).hasSize(1);
        assertThat(memory.available()).isEqualTo(500);
    }

    @Test
    void nothingIsReadWhileTheMemoryIsGone() {
        assertThat(memory.take(500, () -> {})).isTrue();
        receive(Unpooled.buffer().writeInt(3).writeByte('a'));
        assertThat(channel.config().isAutoRead()).isFalse();
        receive(Unpooled.buffer().writeByte('b'));

        memory.give(500);
        channel.runPendingTasks();

        assertThat(channel.config().isAutoRead()).isTrue();
        receive(Unpooled.buffer().writeByte('c'));
        assertThat(frames).containsExactly("abc");
    }

    @Test
    void aFrameThatArrivesWholeNeedsNoMemory() {
        assertThat(memory.take(500, () -> {})).isTrue();

        receive(Unpooled.buffer().writeInt(1).writeByte('a'));

        assertThat(frames).containsExactly("a");
    }

    @Test
    void aConnectionThatEndsGivesBackWhatItHeld() {
        receive(Unpooled.buffer().writeInt(100).writeZero(10));
        decoder.hold();
        receive(Unpooled.buffer().writeZero(10));

        channel.close();

        assertThat(memory.available()).isEqualTo(500);
        assertAllReleased();
    }

    @Test
    void theEndComesAfterTheLastWholeFrame() {
        decoder.hold();
        receive(Unpooled.buffer().writeInt(1).writeByte('a').writeInt(1).writeByte('b').writeInt(9));
        channel.pipeline().fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
        assertThat(frames).isEmpty();

        decoder.resume();

        assertThat(frames).containsExactly("a", "b", "Ended");
        assertAllReleased();
    }

    private void receive(ByteBuf chunk) {
        chunks.add(chunk);
        channel.pipeline().fireChannelRead(chunk);
    }

    private void assertAllReleased() {
        assertThat(chunks).allSatisfy(chunk -> assertThat(chunk.refCnt()).isZero());
    }
}
