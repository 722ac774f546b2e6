package io.millrace.log.batch;

import static io.millrace.log.batch.TestBatch.batch;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.millrace.log.LogConfig;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class BatchCheckTest {
    private static final long NOW = 1_000_000;
    private static final Map<String, String> DEFAULTS = Map.of();
    private static final Map<String, String> COMPACT = Map.of("cleanup.policy", "compact");
    private static final Map<String, String> TIMES = Map.of("message.timestamp.before.max.ms", "1000",
            "message.timestamp.after.max.ms", "500");
    private static final Map<String, String> APPEND_TIME = Map.of("message.timestamp.type", "LogAppendTime");

    // @formatter:off
    static Stream<Arguments> refused() {
        return Stream.of(
            arguments("a base offset", batch().at(5).bytes(), DEFAULTS, Errors.INVALID_RECORD),
            arguments("two batches", TestBatch.direct(batch().bytes(), batch().bytes()), DEFAULTS, Errors.INVALID_RECORD),
            arguments("no batch", ByteBuffer.allocate(0), DEFAULTS, Errors.INVALID_RECORD),
            arguments("too large", batch().valueOf(2000).bytes(), Map.of("max.message.bytes", "1000"), Errors.MESSAGE_TOO_LARGE),
            arguments("a flipped bit", changed(batch(), bytes -> bytes.put(70, (byte) (bytes.get(70) ^ 4))), DEFAULTS, Errors.CORRUPT_MESSAGE),
            arguments("magic 1", changed(batch(), bytes -> bytes.put(16, (byte) 1)), DEFAULTS, Errors.INVALID_RECORD),
            arguments("magic 9", changed(batch(), bytes -> bytes.put(16, (byte) 9)), DEFAULTS, Errors.CORRUPT_MESSAGE),
            arguments("length 3", changed(batch(), bytes -> bytes.putInt(8, 3)), DEFAULTS, Errors.CORRUPT_MESSAGE),
            arguments("length -1", changed(batch(), bytes -> bytes.putInt(8, -1)), DEFAULTS, Errors.CORRUPT_MESSAGE),
            arguments("codec 6", signed(batch(), bytes -> bytes.putShort(21, (short) 6)), DEFAULTS, Errors.UNSUPPORTED_COMPRESSION_TYPE),
            arguments("a negative offset delta", signed(batch(), bytes -> bytes.putInt(23, -2)), DEFAULTS, Errors.INVALID_RECORD),
            arguments("no records", signed(batch(), bytes -> bytes.putInt(57, 0)), DEFAULTS, Errors.INVALID_RECORD),
            arguments("more records than offsets", signed(batch(), bytes -> bytes.putInt(57, 2)), DEFAULTS, Errors.INVALID_RECORD),
            arguments("more records than bytes", signed(batch(), bytes -> bytes.putInt(57, 2).putInt(23, 1)), DEFAULTS, Errors.INVALID_RECORD),
            arguments("fewer records than bytes", signed(batch().records(2), bytes -> bytes.putInt(57, 1).putInt(23, 0)), DEFAULTS, Errors.INVALID_RECORD),
            arguments("a record length beyond the batch", signed(batch(), bytes -> bytes.put(61, (byte) 0x7e)), DEFAULTS, Errors.INVALID_RECORD),
            arguments("a control batch", signed(batch(), bytes -> bytes.putShort(21, (short) 0x20)), DEFAULTS, Errors.INVALID_RECORD),
            arguments("a producer without sequence", signed(batch(), bytes -> bytes.putLong(43, 7)), DEFAULTS, Errors.INVALID_RECORD),
            arguments("no key, compacted", batch().key(null).bytes(), COMPACT, Errors.INVALID_RECORD),
            arguments("no key, compacted, gzip", batch().key(null).codec(Compression.gzip().build()).bytes(), COMPACT, Errors.INVALID_RECORD),
            arguments("garbage for gzip, compacted", signed(batch(), bytes -> bytes.putShort(21, (short) 1)), COMPACT, Errors.INVALID_RECORD),
            arguments("too old", batch().times(NOW, NOW - 1001).bytes(), TIMES, Errors.INVALID_TIMESTAMP),
            arguments("too new", batch().times(NOW, NOW + 501).bytes(), TIMES, Errors.INVALID_TIMESTAMP),
            arguments("much too new", batch().times(Long.MAX_VALUE).bytes(), TIMES, Errors.INVALID_TIMESTAMP),
            arguments("too new, zstd", batch().times(NOW, NOW + 501).codec(Compression.zstd().build()).bytes(), TIMES, Errors.INVALID_TIMESTAMP),
            arguments("its own LogAppendTime", signed(batch(), bytes -> bytes.putShort(21, (short) 8)), APPEND_TIME, Errors.INVALID_TIMESTAMP));
    }

    static Stream<Arguments> taken() {
        return Stream.of(
            arguments("plain", batch().bytes(), DEFAULTS),
            arguments("many records", batch().records(500).bytes(), DEFAULTS),
            arguments("no key", batch().key(null).bytes(), DEFAULTS),
            arguments("gzip", batch().codec(Compression.gzip().build()).bytes(), DEFAULTS),
            arguments("snappy", batch().codec(Compression.snappy().build()).bytes(), COMPACT),
            arguments("lz4", batch().codec(Compression.lz4().build()).bytes(), COMPACT),
            arguments("zstd", batch().codec(Compression.zstd().build()).bytes(), TIMES_WIDE),
            arguments("far future without a limit", batch().times(Long.MAX_VALUE).bytes(), DEFAULTS),
            arguments("no time at all", batch().times(-1L).bytes(), TIMES),
            arguments("on the limits", batch().times(NOW - 1000, NOW + 500).bytes(), TIMES),
            arguments("idempotent", batch().producer(7, 0, 3).bytes(), DEFAULTS),
            arguments("in a transaction", batch().producer(7, 0, 3).inTransaction().bytes(), DEFAULTS),
            arguments("a cut batch after it", TestBatch.direct(batch().bytes(), batch().bytes().limit(30)), DEFAULTS));
    }
    // @formatter:on

    private static final Map<String, String> TIMES_WIDE = Map.of("message.timestamp.before.max.ms", "100000000");

    @ParameterizedTest(name = "{0}")
    @MethodSource("refused")
    void whatKafkaRefusesIsRefusedWithItsCode(String name, ByteBuffer bytes, Map<String, String> settings,
            Errors expected) {
        assertThatThrownBy(() -> check(bytes, settings, AppendOrigin.CLIENT)).isInstanceOfSatisfying(LogRefused.class,
                refused -> assertThat(refused.error()).isEqualTo(expected));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("taken")
    void whatKafkaTakesIsTaken(String name, ByteBuffer bytes, Map<String, String> settings) {
        check(bytes, settings, AppendOrigin.CLIENT);

        MemoryRecords.readableRecords(bytes).batches().forEach(batch -> batch.ensureValid());
    }

    // @formatter:off
    static Stream<Arguments> blamed() {
        return Stream.of(
            arguments("one that is too new", batch().times(NOW, NOW + 501).bytes(), TIMES, List.of(1), "invalid timestamp", "timestamp"),
            arguments("all that are too new or too old", batch().times(NOW - 2000, NOW, NOW + 9999).bytes(), TIMES, List.of(0, 2), "invalid timestamp", "at most 1000 before and 500 after"),
            arguments("the same in zstd", batch().times(NOW - 2000, NOW, NOW + 9999).codec(Compression.zstd().build()).bytes(), TIMES, List.of(0, 2), "invalid timestamp", "at most 1000 before"),
            arguments("all without a key", batch().records(4).key(null).bytes(), COMPACT, List.of(0, 1, 2, 3), "due to 4 record errors in total", "without a key"),
            arguments("the same in lz4", batch().records(4).key(null).codec(Compression.lz4().build()).bytes(), COMPACT, List.of(0, 1, 2, 3), "due to 4 record errors in total", "without a key"),
            arguments("all with the time of the log", signed(batch().records(2), bytes -> bytes.putShort(21, (short) 8)), APPEND_TIME, List.of(0, 1), "invalid timestamp", "LogAppendTime"),
            arguments("a record that is cut", signed(batch().records(2), bytes -> bytes.put(61, (byte) 0x7e)), DEFAULTS, List.of(0), "record 0 has", "record 0 has"),
            arguments("none, where it is not of a record", batch().at(5).bytes(), DEFAULTS, List.of(), "base offset", ""));
    }
    // @formatter:on

    @ParameterizedTest(name = "{0}")
    @MethodSource("blamed")
    void theRecordsToBlameAreNamedEachWithAText(String name, ByteBuffer bytes, Map<String, String> settings,
            List<Integer> indexes, String message, String text) {
        assertThatThrownBy(() -> check(bytes, settings, AppendOrigin.CLIENT)).isInstanceOfSatisfying(LogRefused.class,
                refused -> {
                    assertThat(refused).hasMessageContaining(message);
                    assertThat(refused.recordErrors()).extracting(LogRefused.RecordError::batchIndex)
                            .containsExactlyElementsOf(indexes);
                    assertThat(refused.recordErrors()).allSatisfy(record -> assertThat(record.message()).contains(
                            text));
                });
    }

    @Test
    void whatBecomesTooLargeByRecompressionIsRefused() {
        var noise = new Random(1);
        var value = new StringBuilder();
        for (int i = 0; i < 3000; i++) {
            value.append((char) (' ' + noise.nextInt(94)));
        }
        var packed = new TestBatch(0, List.of(1000L), "k", value.toString(), Compression.gzip().build(), -1, (short) -1,
                -1, false, -1).bytes();
        int most = packed.remaining() + 100;
        var plain = Objects.requireNonNull(LogConfig.of(Map.of("compression.type", "uncompressed")).batch().codec());

        assertThatThrownBy(() -> Recompression.run(Batches.in(packed), plain, most)).isInstanceOfSatisfying(
                LogRefused.class, refused -> assertThat(refused.error()).isEqualTo(Errors.MESSAGE_TOO_LARGE));
        assertThat(Recompression.run(Batches.in(packed), plain, most + 2000).getFirst().sizeBytes()).isGreaterThan(
                most);
    }

    @Test
    void garbageThatIsToBeRecompressedIsRefused() {
        var garbage = signed(batch(), bytes -> bytes.putShort(21, (short) 1));
        var zstd = Objects.requireNonNull(LogConfig.of(Map.of("compression.type", "zstd")).batch().codec());

        assertThatThrownBy(() -> Recompression.run(Batches.in(garbage), zstd, 1 << 20)).isInstanceOfSatisfying(
                LogRefused.class, refused -> assertThat(refused.error()).isEqualTo(Errors.INVALID_RECORD));
    }

    @Test
    void logAppendTimeReplacesTheTimeOfEveryRecord() {
        var bytes = batch().times(1L, 2L).bytes();

        check(bytes, APPEND_TIME, AppendOrigin.CLIENT);

        var read = MemoryRecords.readableRecords(bytes).batches().iterator().next();
        read.ensureValid();
        assertThat(read.timestampType()).isEqualTo(TimestampType.LOG_APPEND_TIME);
        assertThat(read).extracting(record -> record.timestamp()).containsExactly(NOW, NOW);
    }

    @Test
    void theHeaderGetsTheLatestTimeOfItsRecords() {
        var bytes = signed(batch().times(10L, 30L, 20L), buffer -> buffer.putLong(35, 99));

        check(bytes, DEFAULTS, AppendOrigin.CLIENT);

        var read = MemoryRecords.readableRecords(bytes).batches().iterator().next();
        read.ensureValid();
        assertThat(read.maxTimestamp()).isEqualTo(30);
    }

    @Test
    void aCoordinatorMayWriteControlBatchesAndSeveralAtOnce() {
        var control = signed(batch(), bytes -> bytes.putLong(43, 7).putShort(51, (short) 0).putShort(21, (short) 0x30));

        check(TestBatch.direct(control, control), COMPACT, AppendOrigin.COORDINATOR);
    }

    @Test
    void recompressionKeepsEverythingButTheCodec() {
        var source = batch().records(50).valueOf(100).producer(7, 2, 11);
        var batches = Batches.in(source.bytes());
        var codec = LogConfig.of(Map.of("compression.type", "zstd")).batch().codec();

        var rewritten = Recompression.run(batches, Objects.requireNonNull(codec), 1 << 20).getFirst();

        assertThat(rewritten.codecId()).isEqualTo(4);
        assertThat(rewritten.hasValidCrc()).isTrue();
        assertThat(rewritten.producerId()).isEqualTo(7);
        assertThat(rewritten.lastSequence()).isEqualTo(60);
        assertThat(MemoryRecords.readableRecords(rewritten.bytes()).records()).hasSameSizeAs(source.times());
    }

    @Test
    void sequencesGoOnAtZeroAfterTheLargest() {
        assertThat(Sequences.plus(Integer.MAX_VALUE, 1)).isZero();
        assertThat(Sequences.plus(Integer.MAX_VALUE - 1, 4)).isEqualTo(2);
        assertThat(Sequences.minus(2, 4)).isEqualTo(Integer.MAX_VALUE - 1);
        assertThat(Sequences.follows(Integer.MAX_VALUE, 0)).isTrue();
        assertThat(Sequences.follows(Integer.MAX_VALUE, 1)).isFalse();
    }

    private static void check(ByteBuffer bytes, Map<String, String> settings, AppendOrigin origin) {
        new BatchCheck(LogConfig.of(settings).batch(), origin).run(Batches.in(bytes), NOW);
    }

    private static ByteBuffer changed(TestBatch batch, Consumer<ByteBuffer> change) {
        var bytes = batch.bytes();
        change.accept(bytes);
        return bytes;
    }

    private static ByteBuffer signed(TestBatch batch, Consumer<ByteBuffer> change) {
        var bytes = changed(batch, change);
        bytes.putInt(17, new Batch(bytes, 0).computeCrc());
        return bytes;
    }
}
