package io.millrace.metadata.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;

import io.millrace.base.simulation.Seeds;
import io.millrace.metadata.encoding.MalformedMessage;
import io.millrace.metadata.encoding.Writer;
import io.millrace.metadata.image.MetadataVersion;
import io.millrace.metadata.image.Role;
import io.millrace.metadata.record.RandomCluster;
import io.millrace.metadata.record.Snapshot;
import io.millrace.metadata.stream.StreamMessage.Applied;
import io.millrace.metadata.stream.StreamMessage.Change;
import io.millrace.metadata.stream.StreamMessage.Greeting;
import io.millrace.metadata.stream.StreamMessage.Heartbeat;
import io.millrace.metadata.stream.StreamMessage.Whole;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class StreamEncodingTest {
    static LongStream seeds() {
        return Seeds.of(10);
    }

    @ParameterizedTest(name = "-Dseed={0}")
    @MethodSource("seeds")
    void everyRecordComesBackAsItWent(long seed) {
        var cluster = new RandomCluster(seed, 1);
        for (int i = 0; i < 200; i++) {
            roundTrip(new Change(cluster.change()));
        }
        roundTrip(new Whole(Snapshot.of(cluster.image())));
    }

    @Test
    void theOtherMessagesComeBackAsTheyWent() {
        var version = new MetadataVersion(7, 1L << 40);
        roundTrip(new Applied(version));
        roundTrip(new Heartbeat(MetadataVersion.NONE));
        roundTrip(new Greeting(new Hello(Role.BROKER, 0, 1L << 50, version, "http://h:1", "0.1.0")));
        roundTrip(new Greeting(new Hello(Role.COORDINATOR, 1000, 0, MetadataVersion.NONE, null, "")));
    }

    @Test
    void whatIsUnknownIsSkipped() {
        var known = StreamEncoding.encode(new Applied(new MetadataVersion(1, 2)));
        var unknown = Writer.message(out -> out.text(77, "later").number(78, 5).nested(79, in -> in.number(1, 1)));

        assertThat(StreamEncoding.decode(concat(unknown, known))).contains(new Applied(new MetadataVersion(1, 2)));
        assertThat(StreamEncoding.decode(unknown)).isEmpty();
    }

    @ParameterizedTest(name = "-Dseed={0}")
    @MethodSource("seeds")
    void rubbishIsMalformedAndNothingElse(long seed) {
        var random = new Random(seed);
        var cluster = new RandomCluster(seed, 1);
        for (int i = 0; i < 300; i++) {
            var bytes = StreamEncoding.encode(new Change(cluster.change()));
            bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
            try {
                assertThat(StreamEncoding.decode(bytes)).isNotNull();
            } catch (MalformedMessage malformed) {
                assertThat(malformed.getMessage()).isNotEmpty();
            }
        }
    }

    @Test
    void framesAreFoundHoweverTheyArrive() {
        var random = new Random(5);
        var messages = LongStream.range(0, 50).<StreamMessage>mapToObj(i -> new Applied(new MetadataVersion(1, i)))
                .toList();
        var all = Unpooled.buffer();
        messages.forEach(message -> all.writeBytes(Frames.heap(message)));
        var reader = new FrameReader(1_000);

        var found = new ArrayList<StreamMessage>();
        while (all.isReadable()) {
            var part = all.readSlice(Math.min(all.readableBytes(), 1 + random.nextInt(20)));
            reader.read(part).forEach(frame -> found.add(StreamEncoding.decode(frame).orElseThrow()));
        }

        assertThat(found).isEqualTo(messages);
    }

    @Test
    void framesBeyondTheBoundAreRefused() {
        for (int length : List.of(-1, 1_001, Integer.MAX_VALUE)) {
            assertThatThrownBy(() -> new FrameReader(1_000).read(Unpooled.buffer().writeInt(length))).isInstanceOf(
                    MalformedMessage.class);
        }
    }

    private static void roundTrip(StreamMessage message) {
        assertThat(StreamEncoding.decode(StreamEncoding.encode(message))).isEqualTo(Optional.of(message));
    }

    private static byte[] concat(byte[] first, byte[] second) {
        return Unpooled.wrappedBuffer(first, second).copy().array();
    }
}
