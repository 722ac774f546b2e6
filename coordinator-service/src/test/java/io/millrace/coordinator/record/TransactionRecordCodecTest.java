package io.millrace.coordinator.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

import io.millrace.coordinator.record.TransactionRecord.TransactionPut;
import io.millrace.coordinator.record.TransactionRecord.TransactionRemoved;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The bytes were made by the classes of Apache Kafka 4.4.0.
class TransactionRecordCodecTest {
    private static final String KEY = "000000027431";
    private static final String ONGOING = "000100000000000003e800030000ea60010302610300000000000000020002620200000001"
            + "0000000000000007d000000000000003e800";
    private static final String EMPTY = "000100000000000003e800030000ea60000000000000000007d0ffffffffffffffff00";
    private static final String TAGGED = "000100000000000003e800030000ea60040100000000000007d0ffffffffffffffff0300080000"
            + "0000000003840108000000000000044c02020002";
    private static final String OLD_ONGOING = "000000000000000003e800030000ea60010000000200016100000002000000000000000200"
            + "0162000000010000000100000000000007d000000000000003e8";
    private static final String OLD_EMPTY = "000000000000000003e800030000ea6000ffffffff00000000000007d0ffffffffffffffff";

    private static final TransactionPut ONGOING_PUT = put(TransactionState.ONGOING, partitions(), 1000, -1, -1, 0);
    private static final TransactionPut EMPTY_PUT = put(TransactionState.EMPTY, Set.of(), -1, -1, -1, 0);
    private static final TransactionPut TAGGED_PUT = put(TransactionState.COMPLETE_COMMIT, Set.of(), -1, 900, 1100, 2);

    static Stream<Arguments> written() {
        return Stream.of(Arguments.of(ONGOING_PUT, ONGOING), Arguments.of(EMPTY_PUT, EMPTY),
                Arguments.of(TAGGED_PUT, TAGGED), Arguments.of(new TransactionRemoved("t1"), null));
    }

    @ParameterizedTest
    @MethodSource("written")
    void writesTheBytesThatKafkaWrites(TransactionRecord record, @Nullable String value) {
        var encoded = TransactionRecordCodec.encode(record);

        assertThat(hex(encoded.key())).isEqualTo(KEY);
        assertThat(encoded.value() == null ? null : hex(encoded.value())).isEqualTo(value);
    }

    @ParameterizedTest
    @MethodSource("written")
    void readsBackWhatItWrote(TransactionRecord record, @Nullable String value) {
        assertThat(decode(KEY, value)).contains(record);
    }

    @Test
    void readsWhatOlderVersionsWrote() {
        assertThat(decode(KEY, OLD_ONGOING)).contains(ONGOING_PUT);
        assertThat(decode(KEY, OLD_EMPTY)).contains(EMPTY_PUT);
    }

    @Test
    void aTagThatIsNotKnownIsPassedOver() {
        var withEpochOfTwoPhaseCommit = EMPTY.substring(0, EMPTY.length() - 2) + "01" + "03" + "02" + "0007";

        assertThat(decode(KEY, withEpochOfTwoPhaseCommit)).contains(EMPTY_PUT);
    }

    @Test
    void keysOfOtherKindsArePassedOver() {
        assertThat(decode("000100027431", ONGOING)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 9, 13, 17, 20, 30, 45})
    void aRecordCutShortIsMalformed(int bytes) {
        assertThatThrownBy(() -> decode(KEY, ONGOING.substring(0, bytes * 2))).isInstanceOf(MalformedRecord.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0002", "ffff"})
    void aValueOfAnUnknownVersionIsMalformed(String version) {
        assertThatThrownBy(() -> decode(KEY, version + ONGOING.substring(4))).isInstanceOf(MalformedRecord.class);
    }

    @Test
    void aStateThatDoesNotExistIsMalformed() {
        assertThatThrownBy(() -> decode(KEY, EMPTY.replace("ea6000", "ea6009"))).isInstanceOf(MalformedRecord.class);
    }

    private static Set<TopicPartition> partitions() {
        return new LinkedHashSet<>(List.of(new TopicPartition("a", 0), new TopicPartition("a", 2),
                new TopicPartition("b", 1)));
    }

    private static TransactionPut put(TransactionState state, Set<TopicPartition> partitions, long started,
            long previous, long next, int version) {
        return new TransactionPut("t1", new TransactionSnapshot(1000, previous, next, (short) 3, 60_000, state,
                partitions, 2000, started, (short) version));
    }

    private static Optional<TransactionRecord> decode(String key, @Nullable String value) {
        return TransactionRecordCodec.decode(ByteBuffer.wrap(HexFormat.of().parseHex(key)),
                value == null ? null : ByteBuffer.wrap(HexFormat.of().parseHex(value)));
    }

    private static String hex(Bytes bytes) {
        return HexFormat.of().formatHex(bytes.array());
    }
}
