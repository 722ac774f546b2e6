package io.millrace.metadata.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.LongStream;

import io.millrace.base.simulation.Seeds;
import io.millrace.metadata.controller.WireVersion;
import io.millrace.metadata.encoding.MalformedMessage;
import io.millrace.metadata.encoding.Writer;
import io.millrace.metadata.image.ConfigResource;
import io.millrace.metadata.image.Endpoint;
import io.millrace.metadata.image.MetadataVersion;
import io.millrace.metadata.image.NodeImage;
import io.millrace.metadata.image.NodeState;
import io.millrace.metadata.image.PartitionImage;
import io.millrace.metadata.image.Role;
import io.millrace.metadata.image.ShardImage;
import io.millrace.metadata.image.ShardKind;
import io.millrace.metadata.record.Delta;
import io.millrace.metadata.record.MetadataRecord;
import io.millrace.metadata.record.MetadataRecord.ClusterIdentified;
import io.millrace.metadata.record.MetadataRecord.ConfigPut;
import io.millrace.metadata.record.MetadataRecord.ControllerElected;
import io.millrace.metadata.record.MetadataRecord.NodePut;
import io.millrace.metadata.record.MetadataRecord.NodeRemoved;
import io.millrace.metadata.record.MetadataRecord.PartitionPut;
import io.millrace.metadata.record.MetadataRecord.ShardPut;
import io.millrace.metadata.record.MetadataRecord.TopicPut;
import io.millrace.metadata.record.MetadataRecord.TopicRemoved;
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
    private static final String DELTA = "2a80020a04080110021204080110031a050a030a01631a061204080210011a541a520802100e1809221b0a08494e5445"
            + "524e414c1209504c41494e544558541a01682084472a0161320a687474703a2f2f683a313a05302e312e3040014a150a"
            + "10000000000000000100000000000000021201061a072205080310d00f1a172a150a0174121000000000000000010000"
            + "0000000000021a2932270a100000000000000001000000000000000210031a020e1022010e2a0110320112380e400448"
            + "051a143a120a10000000000000000100000000000000021a1a421808011201741a110a0c726574656e74696f6e2e6d73"
            + "1201311a0e4a0c080310d00f1805200228ea07";
    private static final String HELLO = "0a220801100318d00f200b2a0408011003320a687474703a2f2f683a323a05302e312e30";

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
    void whatALaterVersionAddsAnywhereIsPassedOver(long seed) {
        var cluster = new RandomCluster(seed, 1);
        for (int i = 0; i < 200; i++) {
            fromLater(new Change(cluster.change()));
        }
        fromLater(new Whole(Snapshot.of(cluster.image())));
        fromLater(new Heartbeat(new MetadataVersion(3, 4)));
        fromLater(new Greeting(new Hello(Role.BROKER, 0, 1L << 50, new MetadataVersion(1, 2), "http://h:1", "0.2.0")));
    }

    /// Records of other kinds; nodes, settings and shards of other kinds; and what stands beside them counts.
    @Test
    void whatIsOfAKindThatALaterVersionAddedIsPassedOver() {
        var snapshot = Writer.message(frame -> frame.nested(4, in -> {
            in.nested(1, version -> version.number(1, 1).number(2, 2));
            in.nested(2, record -> record.nested(99, later -> later.text(1, "of another kind")));
            in.nested(2, record -> record.nested(3, node -> node.number(1, 5).signed(2, 7).number(8, 1)));
            in.nested(2, record -> record.nested(4, gone -> gone.number(1, 5).signed(2, 7)));
            in.nested(2, record -> record.nested(8, config -> config.number(1, 8).text(2, "x")));
            in.nested(2, record -> record.nested(9, shard -> shard.number(1, 3).signed(2, 1000).number(4, 3)));
            in.nested(2, record -> record.nested(1, identified -> identified.text(1, "id")));
        }));

        assertThat(StreamEncoding.decode(snapshot)).contains(new Whole(new Snapshot(new MetadataVersion(1, 2), List.of(
                new ClusterIdentified("id")))));
    }

    @Test
    void aNodeInAStateThatALaterVersionAddedLeadsNothing() {
        var delta = delta(record -> record.nested(3, node -> node.number(1, 2).signed(2, 7).number(8, 4)));

        assertThat(decoded(delta)).containsExactly(new NodePut(new NodeImage(Role.BROKER, 7, 0, List.of(), null, null,
                "", NodeState.FENCED)));
    }

    @Test
    void whatAnEarlierVersionDoesNotSayMeansWhatWasDoneThen() {
        var delta = delta(record -> record.nested(9, shard -> shard.number(1, 3).signed(2, 1000).number(3, 5)));

        assertThat(decoded(delta)).containsExactly(new ShardPut(ShardKind.GROUP, new ShardImage(3, 1000, 5,
                ShardImage.NO_OWNER)));
    }

    @Test
    void aGreetingInAnotherWireVersionIsRefused() {
        var greeting = Writer.message(out -> out.nested(1, hello -> hello.number(1, WireVersion.NEWEST + 1)
                .number(2, 2)));

        assertThatThrownBy(() -> StreamEncoding.decode(greeting)).isInstanceOf(MalformedMessage.class)
                .hasMessageContaining("protocol 2");
    }

    /// What nodes of the version before read and write: no change of this one may change these bytes.
    @Test
    void theBytesOfWireVersion1StayAsTheyAre() {
        var id = new UUID(1, 2);
        var node = new NodeImage(Role.BROKER, 7, 9, List.of(new Endpoint("INTERNAL", "PLAINTEXT", "h", 9092)), "a",
                "http://h:1", "0.1.0", NodeState.ACTIVE, Map.of(id, Set.of(3)));
        var delta = new Delta(new MetadataVersion(1, 2), new MetadataVersion(1, 3), List.of(new ClusterIdentified("c"),
                new ControllerElected(1, 1), new NodePut(node), new NodeRemoved(Role.COORDINATOR, 1000),
                new TopicPut("t", id), new PartitionPut(id, new PartitionImage(3, List.of(7, 8), List.of(7), List.of(8),
                        List.of(9), 7, 4, 5)), new TopicRemoved(id), new ConfigPut(ConfigResource.topic("t"), Map.of(
                                "retention.ms", "1")), new ShardPut(ShardKind.TRANSACTION, new ShardImage(3, 1000, 5,
                                        1001))));

        assertThat(HexFormat.of().formatHex(StreamEncoding.encode(new Change(delta)))).isEqualTo(DELTA);
        assertThat(StreamEncoding.decode(HexFormat.of().parseHex(DELTA))).contains(new Change(delta));
        var hello = new Hello(Role.COORDINATOR, 1000, 11, new MetadataVersion(1, 3), "http://h:2", "0.1.0");
        assertThat(HexFormat.of().formatHex(StreamEncoding.encode(new Greeting(hello)))).isEqualTo(HELLO);
        assertThat(StreamEncoding.decode(HexFormat.of().parseHex(HELLO))).contains(new Greeting(hello));
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

    private static void fromLater(StreamMessage message) {
        assertThat(StreamEncoding.decode(LaterVersion.of(StreamEncoding.encode(message)))).contains(message);
    }

    /// A delta of one record.
    private static byte[] delta(Consumer<Writer> record) {
        return Writer.message(frame -> frame.nested(5, in -> in.nested(1, from -> from.number(1, 1))
                .nested(2, to -> to.number(1, 1).number(2, 1))
                .nested(3, record)));
    }

    private static List<MetadataRecord> decoded(byte[] delta) {
        return StreamEncoding.decode(delta).map(message -> ((Change) message).delta().records()).orElseThrow();
    }

    private static void roundTrip(StreamMessage message) {
        assertThat(StreamEncoding.decode(StreamEncoding.encode(message))).isEqualTo(Optional.of(message));
    }

    private static byte[] concat(byte[] first, byte[] second) {
        return Unpooled.wrappedBuffer(first, second).copy().array();
    }
}
