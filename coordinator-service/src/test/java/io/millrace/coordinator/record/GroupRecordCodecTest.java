package io.millrace.coordinator.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import io.millrace.coordinator.record.ConsumerGroupRecord.CurrentPut;
import io.millrace.coordinator.record.ConsumerGroupRecord.CurrentRemoved;
import io.millrace.coordinator.record.ConsumerGroupRecord.EpochPut;
import io.millrace.coordinator.record.ConsumerGroupRecord.EpochRemoved;
import io.millrace.coordinator.record.ConsumerGroupRecord.MemberPut;
import io.millrace.coordinator.record.ConsumerGroupRecord.MemberRemoved;
import io.millrace.coordinator.record.ConsumerGroupRecord.PatternPut;
import io.millrace.coordinator.record.ConsumerGroupRecord.PatternRemoved;
import io.millrace.coordinator.record.ConsumerGroupRecord.TargetEpochPut;
import io.millrace.coordinator.record.ConsumerGroupRecord.TargetEpochRemoved;
import io.millrace.coordinator.record.ConsumerGroupRecord.TargetPut;
import io.millrace.coordinator.record.ConsumerGroupRecord.TargetRemoved;
import io.millrace.coordinator.record.GroupRecord.GroupPut;
import io.millrace.coordinator.record.GroupRecord.GroupRemoved;
import io.millrace.coordinator.record.GroupRecord.OffsetPut;
import io.millrace.coordinator.record.GroupRecord.OffsetRemoved;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The bytes were made by the classes of Apache Kafka 3.9.2.
class GroupRecordCodecTest {
    private static final String OFFSET_KEY = "00010001670003746f7000000007";
    private static final String GROUP_KEY = "0002000167";
    private static final String OFFSET_V3 = "0003000000000000002a0000000500016d00000000000003e8";
    private static final String OFFSET_V1 = "0001000000000000002a00016d00000000000003e800000000000007d0";
    private static final String GROUP_V3 = "00030008636f6e73756d657200000003000572616e676500026d31"
            + "00000000000000090000000100026d3100016900016300022f680000012c000000640000000201020000000103";
    private static final String EMPTY_GROUP = "00030008636f6e73756d657200000004ffffffff000000000000000900000000";

    static Stream<Arguments> written() {
        return Stream.of(
                Arguments.of(offset(5, -1), OFFSET_KEY, OFFSET_V3),
                Arguments.of(offset(-1, 2000), OFFSET_KEY, OFFSET_V1),
                Arguments.of(new OffsetRemoved("g", "top", 7), OFFSET_KEY, null),
                Arguments.of(group("i", 300, 9), GROUP_KEY, GROUP_V3),
                Arguments.of(new GroupPut("g", new GroupSnapshot("consumer", 4, null, null, 9, List.of())), GROUP_KEY,
                        EMPTY_GROUP),
                Arguments.of(new GroupRemoved("g"), GROUP_KEY, null));
    }

    @ParameterizedTest
    @MethodSource("written")
    void writesTheBytesThatKafkaWrites(GroupRecord record, String key, @Nullable String value) {
        var encoded = GroupRecordCodec.encode(record);

        assertThat(hex(encoded.key())).isEqualTo(key);
        assertThat(encoded.value() == null ? null : hex(encoded.value())).isEqualTo(value);
    }

    @ParameterizedTest
    @MethodSource("written")
    void readsBackWhatItWrote(GroupRecord record, String key, @Nullable String value) {
        assertThat(decode(key, value)).contains(record);
    }

    static Stream<Arguments> older() {
        return Stream.of(
                Arguments.of("00000001670003746f7000000007", OFFSET_V3, offset(5, -1)),
                Arguments.of(OFFSET_KEY, "0000000000000000002a00016d00000000000003e8", offset(-1, -1)),
                Arguments.of(OFFSET_KEY, "0002000000000000002a00016d00000000000003e8", offset(-1, -1)),
                Arguments.of(OFFSET_KEY, "0004000000000000002a00000005026d00000000000003e800", offset(5, -1)),
                Arguments.of(GROUP_KEY,
                        "00000008636f6e73756d657200000003000572616e676500026d310000000100026d3100016300022f68"
                                + "000000640000000201020000000103",
                        group(null, 100, -1)),
                Arguments.of(GROUP_KEY,
                        "00010008636f6e73756d657200000003000572616e676500026d310000000100026d3100016300022f68"
                                + "0000012c000000640000000201020000000103",
                        group(null, 300, -1)),
                Arguments.of(GROUP_KEY,
                        "00020008636f6e73756d657200000003000572616e676500026d3100000000000000090000000100026d31"
                                + "00016300022f680000012c000000640000000201020000000103",
                        group(null, 300, 9)),
                Arguments.of(GROUP_KEY,
                        "000409636f6e73756d6572000000030672616e6765036d31000000000000000902036d3102690263032f68"
                                + "0000012c0000006403010202030000",
                        group("i", 300, 9)));
    }

    @ParameterizedTest
    @MethodSource("older")
    void readsEveryVersionOfKafka(String key, String value, GroupRecord record) {
        assertThat(decode(key, value)).contains(record);
    }

    @Test
    void recordsOfOtherKindsArePassedOver() {
        assertThat(decode("0004000167", "0000")).isEmpty();
        assertThat(decode("0011000167", null)).isEmpty();
    }

    static Stream<Arguments> ofConsumerGroups() {
        var id = new Uuid(1, 2);
        var both = new MemberMetadata("i", null, "c", "/h", List.of("b", "a"), "x.*", 300, "range", null);
        var classic = new MemberMetadata(null, "r", "c", "/h", List.of("a"), null, 300, null,
                new MemberMetadata.Classic(100, List.of(new MemberMetadata.ClassicProtocol("range", Bytes.of(
                        new byte[]{1, 2})))));
        var current = new MemberAssignment(4, 3, MemberAssignment.State.UNREVOKED, Partitions.of(Map.of(id, List.of(
                0))), Partitions.of(Map.of(id, List.of(3))));
        return Stream.of(
                Arguments.of(new EpochPut("g", 5, 0), "0003000167", "00000000000500"),
                Arguments.of(new EpochPut("g", 5, 77), "0003000167", "000000000005010008000000000000004d"),
                Arguments.of(new EpochRemoved("g"), "0003000167", null),
                Arguments.of(new MemberPut("g", "m", both), "000500016700016d",
                        "00000269000263032f68030261026204782e2a0000012c0672616e676500"),
                Arguments.of(new MemberPut("g", "m", classic), "000500016700016d",
                        "00000002720263032f68020261000000012c000100110100000064020672616e67650301020000"),
                Arguments.of(new MemberRemoved("g", "m"), "000500016700016d", null),
                Arguments.of(new TargetEpochPut("g", 5, 9), "0006000167", "0000000000050100080000000000000009"),
                Arguments.of(new TargetEpochPut("g", 5, 0), "0006000167", "00000000000500"),
                Arguments.of(new TargetEpochRemoved("g"), "0006000167", null),
                Arguments.of(new TargetPut("g", "m", Partitions.of(Map.of(id, List.of(3, 0)))), "000700016700016d",
                        "000002000000000000000100000000000000020300000000000000030000"),
                Arguments.of(new TargetRemoved("g", "m"), "000700016700016d", null),
                Arguments.of(new CurrentPut("g", "m", current), "000800016700016d",
                        "00000000000400000003010200000000000000010000000000000002020000000000020000000000000001"
                                + "000000000000000202000000030000"),
                Arguments.of(new CurrentRemoved("g", "m"), "000800016700016d", null),
                Arguments.of(new PatternPut("g", "x.*", List.of("xa"), 7, 8), "00100001670003782e2a",
                        "0000020378610000000000000007000000000000000800"),
                Arguments.of(new PatternRemoved("g", "x.*"), "00100001670003782e2a", null));
    }

    /// The bytes of consumer groups were made by the classes of Apache Kafka 4.4.0.
    @ParameterizedTest
    @MethodSource("ofConsumerGroups")
    void consumerGroupsAreStoredAsKafkaStoresThem(GroupRecord record, String key, @Nullable String value) {
        var encoded = GroupRecordCodec.encode(record);

        assertThat(hex(encoded.key())).isEqualTo(key);
        assertThat(encoded.value() == null ? null : hex(encoded.value())).isEqualTo(value);
        assertThat(decode(key, value)).contains(record);
    }

    @Test
    void theEpochsOfAssignmentsThatKafkaAddsArePassedOver() {
        var read = decode("000800016700016d", "000000000004000000030102000000000000000100000000000000020200000000010005"
                + "0200000002020000000000000001000000000000000202000000030000");

        assertThat(read).hasValueSatisfying(record -> assertThat(((CurrentPut) record).value().held().size())
                .isEqualTo(2));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 6, 20})
    void aRecordCutShortIsMalformed(int bytes) {
        assertThatThrownBy(() -> decode(OFFSET_KEY, OFFSET_V3.substring(0, bytes * 2)))
                .isInstanceOf(MalformedRecord.class);
        assertThatThrownBy(() -> decode(GROUP_KEY, GROUP_V3.substring(0, bytes * 2)))
                .isInstanceOf(MalformedRecord.class);
    }

    @Test
    void aValueOfAnUnknownVersionIsMalformed() {
        assertThatThrownBy(() -> decode(OFFSET_KEY, "0005" + OFFSET_V3.substring(4)))
                .isInstanceOf(MalformedRecord.class);
        assertThatThrownBy(() -> decode(GROUP_KEY, "ffff")).isInstanceOf(MalformedRecord.class);
    }

    @Test
    void aLengthBeyondTheRecordIsNotBelieved() {
        assertThatThrownBy(() -> decode(GROUP_KEY, "00030008636f6e73756d657200000004ffffffff00000000000000097fffffff"))
                .isInstanceOf(MalformedRecord.class);
    }

    private static OffsetPut offset(int leaderEpoch, long expiry) {
        return new OffsetPut("g", "top", 7, new CommittedOffset(42, leaderEpoch, "m", 1000, expiry));
    }

    private static GroupPut group(@Nullable String instanceId, int rebalanceTimeout, long since) {
        var member = new MemberSnapshot("m1", instanceId, "c", "/h", rebalanceTimeout, 100,
                Bytes.of(new byte[]{1, 2}), Bytes.of(new byte[]{3}));
        return new GroupPut("g", new GroupSnapshot("consumer", 3, "range", "m1", since, List.of(member)));
    }

    private static Optional<GroupRecord> decode(String key, @Nullable String value) {
        return GroupRecordCodec.decode(ByteBuffer.wrap(HexFormat.of().parseHex(key)),
                value == null ? null : ByteBuffer.wrap(HexFormat.of().parseHex(value)));
    }

    private static String hex(Bytes bytes) {
        return HexFormat.of().formatHex(bytes.array());
    }
}
