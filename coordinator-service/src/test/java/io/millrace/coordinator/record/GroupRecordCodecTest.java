package io.millrace.coordinator.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import io.millrace.coordinator.record.GroupRecord.GroupPut;
import io.millrace.coordinator.record.GroupRecord.GroupRemoved;
import io.millrace.coordinator.record.GroupRecord.OffsetPut;
import io.millrace.coordinator.record.GroupRecord.OffsetRemoved;
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
    void recordsOfLaterGroupProtocolsArePassedOver() {
        assertThat(decode("0003000167", "0000")).isEmpty();
        assertThat(decode("0011000167", null)).isEmpty();
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
