package io.millrace.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.millrace.log.CompactedLog.Seen;
import io.millrace.log.batch.AppendOrigin;
import io.millrace.log.batch.Batch;
import io.millrace.log.batch.TestBatch;
import io.millrace.log.compaction.CleanerSettings;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What stays of a compacted log, and at which offsets.
class CompactionTest {
    private static final long HOUR = Duration.ofHours(1).toMillis();

    @TempDir
    Path root;

    private CompactedLog it;

    @BeforeEach
    void open() throws IOException {
        it = new CompactedLog(root).open();
    }

    @Test
    void theLastRecordOfEachKeyStaysAtItsOffset() throws IOException {
        it.put("a=1", "b=1", "c=1");
        it.put("a=2");
        it.put("b=2", "d=1");

        assertThat(it.clean()).isTrue();

        assertThat(it.records()).containsExactly(new Seen(2, "c", "1"), new Seen(3, "a", "2"), new Seen(4, "b", "2"),
                new Seen(5, "d", "1"));
        assertThat(it.log().logEndOffset()).isEqualTo(6);
        assertThat(it.log().logStartOffset()).isZero();
        assertThat(it.batches()).allMatch(Batch::hasValidCrc);
        assertThat(it.clean()).as("nothing is dirty any more").isFalse();
    }

    @ParameterizedTest
    @EnumSource(names = {"NONE", "GZIP", "SNAPPY", "LZ4", "ZSTD"})
    void batchesThatAreRewrittenKeepTheirCodec(org.apache.kafka.common.record.internal.CompressionType type)
            throws IOException {
        it.codec = switch (type) {
            case NONE -> Compression.NONE;
            case GZIP -> Compression.gzip().build();
            case SNAPPY -> Compression.snappy().build();
            case LZ4 -> Compression.lz4().build();
            case ZSTD -> Compression.zstd().build();
        };
        it.put("a=1", "b=1");
        it.put("a=2");

        it.clean();

        assertThat(it.records()).containsExactly(new Seen(1, "b", "1"), new Seen(2, "a", "2"));
        assertThat(it.batches()).allMatch(batch -> batch.codecId() == type.id);
    }

    @Test
    void readsInGapsGiveTheNextBatchAndTheEndIsReached() throws IOException {
        for (int i = 0; i < 30; i++) {
            it.put("a=" + i, "b=" + i);
        }
        it.put("c=1");
        it.put("c=2");
        it.clean();

        for (long offset = 0; offset < it.log().logEndOffset(); offset++) {
            long asked = offset;
            assertThat(it.fixture.read(offset, 10_000).getFirst()).as("offset " + offset).matches(batch -> batch
                    .lastOffset() >= asked);
        }
        assertThat(it.batches().getLast().lastOffset()).isEqualTo(it.log().logEndOffset() - 1);
    }

    @Test
    void theLastBatchOfTheLogStaysAsAnEmptyOneWhereItsRecordsGo() throws IOException {
        it.put("a=1");
        it.putInTransaction(7, 0, "b=1");
        it.end(7, ControlRecordType.ABORT);
        it.put("c=1");
        it.put("c=");
        it.clean();
        it.pass(CompactedLog.DELETE_RETENTION_MS);
        it.cleaner().run();

        assertThat(it.records()).containsExactly(new Seen(0, "a", "1"));
        var last = it.batches().getLast();
        assertThat(last.lastOffset()).isEqualTo(4);
        assertThat(last.count()).isZero();
        assertThat(last.hasValidCrc()).isTrue();
    }

    @Test
    void theLastBatchOfAProducerStaysSoThatItsRepetitionIsKnownAfterACrash() throws IOException {
        it.put(7, 0, 0, "a=1", "b=1");
        it.put(7, 0, 2, "a=2", "b=2");
        it.put("a=3", "b=3");
        it.put("z=1");
        it.clean();
        // Snapshots would tell as well; here the log alone has to.
        for (var name : it.fixture.files()) {
            if (name.endsWith(".snapshot")) {
                Files.delete(it.fixture.directory.resolve(name));
            }
        }
        it.fixture.crash();

        var again = it.log().append(TestBatch.direct(it.batch(7, 0, 2, false, "a=2", "b=2")), 0, AppendOrigin.CLIENT);
        assertThat(again.duplicate()).isTrue();
        assertThat(again.baseOffset()).isEqualTo(2);
        var kept = it.batches().stream().filter(batch -> batch.producerId() == 7).toList();
        assertThat(kept).singleElement().matches(batch -> batch.count() == 0 && batch.baseSequence() == 2 && batch
                .lastSequence() == 3 && batch.lastOffset() == 3);
    }

    @Test
    void aTombstoneIsSeenForItsTimeAndThenGoesWithoutNewWrites() throws IOException {
        it.put("a=1", "b=1");
        it.put("a=");
        it.put("c=1");
        it.clean();
        assertThat(it.records()).contains(new Seen(2, "a", null)).doesNotContain(new Seen(0, "a", "1"));
        assertThat(it.batches()).anyMatch(batch -> batch.deleteHorizonMs() == it.fixture.loop.clock().millis()
                + CompactedLog.DELETE_RETENTION_MS);

        it.pass(CompactedLog.DELETE_RETENTION_MS - 1);
        assertThat(it.cleaner().cleanNext()).isFalse();
        assertThat(it.records()).contains(new Seen(2, "a", null));

        it.pass(1);
        assertThat(it.cleaner().cleanNext()).isTrue();
        assertThat(it.records()).containsExactly(new Seen(1, "b", "1"), new Seen(3, "c", "1"));
        it.pass(HOUR);
        assertThat(it.cleaner().cleanNext()).as("and nothing is left to be done").isFalse();
    }

    @Test
    void recordsOfAnAbortedTransactionGoAtOnceAndItsMarkerLater() throws IOException {
        it.put("a=0");
        it.putInTransaction(7, 0, "a=1");
        long marker = it.end(7, ControlRecordType.ABORT);
        it.put(7, 0, 1, "y=1");
        it.put("z=1");

        it.clean();
        assertThat(it.table()).isEqualTo(Map.of("a", "0", "y", "1", "z", "1"));
        assertThat(it.markers()).as("the marker outlives its data").containsExactly(marker);

        it.pass(CompactedLog.DELETE_RETENTION_MS);
        it.cleaner().run();
        assertThat(it.markers()).containsExactly(marker);
        it.pass(CompactedLog.DELETE_RETENTION_MS);
        it.cleaner().run();
        assertThat(it.markers()).isEmpty();
        assertThat(it.table()).isEqualTo(Map.of("a", "0", "y", "1", "z", "1"));
    }

    @Test
    void aCommitMarkerStaysWithItsDataAndGoesWhenThatIsSuperseded() throws IOException {
        it.putInTransaction(7, 0, "a=1");
        long marker = it.end(7, ControlRecordType.COMMIT);
        it.put(7, 0, 1, "y=1");
        it.put("z=1");
        it.clean();
        it.pass(HOUR);
        it.cleaner().run();
        assertThat(it.markers()).containsExactly(marker);

        it.put("a=2");
        it.put("z=2");
        it.clean();
        for (int i = 0; i < 3; i++) {
            it.pass(CompactedLog.DELETE_RETENTION_MS);
            it.cleaner().run();
        }
        assertThat(it.markers()).isEmpty();
        assertThat(it.table()).isEqualTo(Map.of("y", "1", "a", "2", "z", "2"));
    }

    @Test
    void nothingFromTheLastStableOffsetOnIsCleaned() throws IOException {
        it.put("a=1");
        it.put("a=2");
        it.log().roll();
        it.putInTransaction(7, 0, "a=3");
        it.log().roll();
        it.put("a=4");
        it.clean();

        assertThat(it.records()).containsExactly(new Seen(1, "a", "2"), new Seen(2, "a", "3"), new Seen(3, "a", "4"));

        it.end(7, ControlRecordType.COMMIT);
        it.clean();
        assertThat(it.table()).isEqualTo(Map.of("a", "4"));
        assertThat(it.records()).containsExactly(new Seen(3, "a", "4"));
    }

    @Test
    void nothingFromTheHighWatermarkOnIsCleaned() throws IOException {
        it.put("a=1");
        it.log().roll();
        it.log().append(TestBatch.direct(it.batch(-1, 0, -1, false, "a=2")), 0, AppendOrigin.CLIENT);
        it.log().roll();
        it.cleaner().run();

        assertThat(it.records()).containsExactly(new Seen(0, "a", "1"), new Seen(1, "a", "2"));
    }

    @Test
    void recordsThatAreTooYoungStay() throws IOException {
        it.fixture.set("min.compaction.lag.ms", 1000);
        it.log().updateConfig(LogConfig.of(it.fixture.settings));
        it.put("a=1");
        it.log().roll();
        it.put("a=2");

        assertThat(it.clean()).isFalse();
        it.pass(1001);
        assertThat(it.clean()).isTrue();
        assertThat(it.records()).containsExactly(new Seen(1, "a", "2"));
    }

    @Test
    void aQuietTopicIsRolledAndCleanedOnceItsRecordsHaveWaitedLongEnough() throws IOException {
        it.fixture.set("max.compaction.lag.ms", 1000).set("min.cleanable.dirty.ratio", 1);
        it.log().updateConfig(LogConfig.of(it.fixture.settings));
        it.put("a=1");
        it.put("a=2");

        assertThat(it.cleaner().cleanNext()).isFalse();
        it.pass(1001);
        assertThat(it.cleaner().cleanNext()).isTrue();

        assertThat(it.records()).containsExactly(new Seen(1, "a", "2"));
    }

    @Test
    void smallSegmentsBecomeOneAndReadersKeepTheirs() throws IOException {
        for (int i = 0; i < 100; i++) {
            it.put("a" + i % 3 + "=" + "v".repeat(90) + i);
        }
        int before = it.log().segmentCount();
        try (var slice = Objects.requireNonNull(it.log().read(0, 1500, true, Long.MAX_VALUE).slice())) {
            var bytes = ByteBuffer.allocate(slice.size());
            slice.channel().read(bytes, slice.position());

            it.clean();
            it.put("b=1");
            it.clean();
            it.pass(HOUR);

            var after = ByteBuffer.allocate(slice.size());
            slice.channel().read(after, slice.position());
            assertThat(after.flip()).isEqualTo(bytes.flip());
        }
        assertThat(before).isGreaterThan(3);
        assertThat(it.log().segmentCount()).isEqualTo(2);
        assertThat(it.fixture.files()).noneMatch(name -> name.endsWith(".deleted") || name.endsWith(".swap") || name
                .endsWith(".cleaned"));
    }

    @Test
    void whatIsCleanedIsThereAfterARestartAndAfterACrash() throws IOException {
        for (int i = 0; i < 60; i++) {
            it.put("a" + i % 3 + "=" + "v".repeat(90) + i);
        }
        it.clean();
        var records = it.records();

        it.fixture.restart();
        assertThat(it.records()).isEqualTo(records);
        it.fixture.crash();
        assertThat(it.records()).isEqualTo(records);
        assertThat(it.log().logEndOffset()).isEqualTo(60);
    }

    @Test
    void aMapWithoutRoomForAllKeysCleansTheLogBitByBit() throws IOException {
        it.settings = new CleanerSettings(24 * 10, 0.9, 4096, Double.MAX_VALUE, 1, Duration.ZERO);
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < 20; i++) {
                it.put("k" + i + "=" + round);
            }
        }
        it.log().roll();

        it.cleaner().run();

        assertThat(it.records()).hasSize(20).allMatch(seen -> "2".equals(seen.value()));
    }

    @Test
    void aMapWithoutRoomForOneBatchLeavesTheLogAlone() throws IOException {
        it.settings = new CleanerSettings(24 * 3, 0.9, 4096, Double.MAX_VALUE, 1, Duration.ZERO);
        it.put("a=1", "b=1", "c=1", "d=1");

        assertThat(it.clean()).isFalse();

        assertThat(it.records()).hasSize(4);
        assertThat(it.fixture.failures).isEmpty();
        assertThat(it.meters.get("kafka.log.logcleanermanager.uncleanable.partitions.count").gauge().value())
                .isEqualTo(1);
    }

    @Test
    void aRottenBatchIsNotMadeGoodByTheCleaner() throws IOException {
        it.put("a=1", "b=1");
        it.put("a=2");
        it.log().roll();
        try (var file = FileChannel.open(it.fixture.file(0, ".log"), StandardOpenOption.WRITE)) {
            file.write(ByteBuffer.wrap(new byte[]{1}), 70);
        }

        assertThat(it.cleaner().cleanNext()).isFalse();

        assertThat(it.batches()).hasSize(2);
        assertThat(it.meters.get("kafka.log.logcleanermanager.uncleanable.bytes").gauge().value()).isPositive();
        assertThat(it.fixture.files()).noneMatch(name -> name.endsWith(".cleaned"));
    }

    @Test
    void batchesLargerThanTheBuffersAreCleaned() throws IOException {
        it.settings = new CleanerSettings(1 << 20, 0.9, 0, Double.MAX_VALUE, 1, Duration.ZERO);
        it.fixture.set("segment.bytes", 20_000);
        it.log().updateConfig(LogConfig.of(it.fixture.settings));
        it.put("a=" + "v".repeat(5000), "b=1");
        it.put("b=2", "c=" + "v".repeat(6000));
        it.put("d=1");
        it.clean();

        assertThat(it.records()).extracting(Seen::offset).containsExactly(0L, 2L, 3L, 4L);
    }

    @Test
    void aLogThatIsCutWhileItIsCleanedStaysAsItWasCut() throws IOException {
        it.settings = new CleanerSettings(1 << 20, 0.9, 0, 1000, 1, Duration.ZERO);
        for (int i = 0; i < 60; i++) {
            it.put("a" + i % 3 + "=" + "v".repeat(90) + i);
        }
        it.log().roll();
        it.pause = _ -> cutAt(20);

        assertThat(it.cleaner().cleanNext()).isFalse();

        assertThat(it.log().logEndOffset()).isEqualTo(20);
        assertThat(it.records()).hasSize(20);
        assertThat(it.fixture.failures).isEmpty();
        assertThat(it.fixture.files()).noneMatch(name -> name.endsWith(".cleaned") || name.endsWith(".swap"));
    }

    private void cutAt(long offset) {
        try {
            if (it.log().logEndOffset() > offset) {
                it.log().truncateTo(offset);
            }
        } catch (IOException failure) {
            throw new AssertionError(failure);
        }
    }

    @Test
    void aLogThatIsDeletedWhileItIsCleanedIsGone() throws IOException {
        it.settings = new CleanerSettings(1 << 20, 0.9, 0, 1000, 1, Duration.ZERO);
        for (int i = 0; i < 60; i++) {
            it.put("a=" + "v".repeat(90) + i);
        }
        it.log().roll();
        it.pause = _ -> {
            try {
                if (Files.exists(it.fixture.directory)) {
                    it.log().delete();
                }
            } catch (IOException failure) {
                throw new AssertionError(failure);
            }
        };

        assertThat(it.cleaner().cleanNext()).isFalse();
        it.pass(HOUR);

        assertThat(it.fixture.failures).isEmpty();
        assertThat(it.fixture.directory).doesNotExist();
    }

    @Test
    void whatIsAppendedAfterACutIsDirtyAgain() throws IOException {
        it.put("a=1");
        it.put("a=2");
        it.put("b=1");
        it.clean();
        it.log().truncateTo(2);
        it.put("a=3");
        it.put("b=2");

        assertThat(it.clean()).isTrue();
        assertThat(it.records()).containsExactly(new Seen(2, "a", "3"), new Seen(3, "b", "2"));
    }

    @Test
    void compactedSegmentsAreDeletedByAgeWhereThePolicySaysBoth() throws IOException {
        it.fixture.set("cleanup.policy", "compact,delete").set("retention.ms", 10_000);
        it.log().updateConfig(LogConfig.of(it.fixture.settings));
        it.put("a=1");
        it.put("a=2");
        it.clean();
        it.pass(10_001);
        it.put("b=1");

        assertThat(it.log().deleteOldSegments()).isEqualTo(1);
        assertThat(it.records()).containsExactly(new Seen(2, "b", "1"));
    }

    @Test
    void segmentsWithOffsetsTooFarApartForAnIndexAreNotMerged() throws IOException {
        long far = (1L << 31) - 2;
        for (long base : List.of(0L, far, far + 1, far + 2, far + 3, 1L << 33)) {
            var bytes = TestBatch.direct(it.batch(RecordBatch.NO_PRODUCER_ID, 0, -1, false, "k" + base % 2 + "="
                    + base));
            new Batch(bytes, 0).assign(base, 0);
            it.log().appendAsFollower(bytes);
            it.log().roll();
        }
        it.log().updateHighWatermark(it.log().logEndOffset());

        assertThat(it.cleaner().cleanNext()).isTrue();

        assertThat(it.table()).containsExactly(Map.entry("k1", Long.toString(far + 3)), Map.entry("k0", Long.toString(
                1L << 33)));
        it.fixture.crash();
        assertThat(it.records()).extracting(Seen::offset).containsExactly(far + 3, 1L << 33);
        assertThat(it.fixture.read(far + 10, 1000).getFirst().baseOffset()).isEqualTo(1L << 33);
    }

    @Test
    void whatTheCleanerDoesIsShownUnderKafkasNames() throws IOException {
        it.settings = new CleanerSettings(24 * 100, 1.0 - 1e-9, 4096, Double.MAX_VALUE, 1, Duration.ZERO);
        for (int i = 0; i < 40; i++) {
            it.put("k" + i % 20 + "=" + "v".repeat(50));
        }
        it.log().roll();
        var cleaner = it.cleaner();
        it.pass(3000);
        assertThat(gauge("kafka.log.logcleanermanager.time.since.last.run.ms")).isEqualTo(3000);

        assertThat(cleaner.cleanNext()).isTrue();

        assertThat(gauge("kafka.log.logcleanermanager.time.since.last.run.ms")).isZero();
        assertThat(gauge("kafka.log.logcleanermanager.max.dirty.percent")).isEqualTo(100);
        assertThat(gauge("kafka.log.logcleaner.max.buffer.utilization.percent")).isBetween(19.0, 51.0);
        assertThat(gauge("kafka.log.logcleaner.cleaner.recopy.percent")).isBetween(30.0, 70.0);
        assertThat(gauge("kafka.log.logcleaner.max.clean.time.secs")).isZero();
        assertThat(gauge("kafka.log.logcleaner.max.compaction.delay.secs")).isZero();
        assertThat(it.meters.get("millrace.log.cleaner.cleaned").counter().count()).isEqualTo(1);
        assertThat(it.meters.get("millrace.log.cleaner.removed").counter().count()).isPositive();
    }

    private double gauge(String name) {
        return it.meters.get(name).gauge().value();
    }

    @Test
    void theCleanerIsHeldToItsRate() throws IOException {
        var waited = new long[1];
        it.settings = new CleanerSettings(1 << 20, 0.9, 0, 10_000, 1, Duration.ZERO);
        it.pause = time -> {
            waited[0] += time.toMillis();
            it.pass(time.toMillis());
        };
        for (int i = 0; i < 100; i++) {
            it.put("a" + i + "=" + "v".repeat(200));
        }
        long bytes = it.log().sizeBytes();
        it.clean();

        // Read twice and written once, less the last bufferful, which nobody waits for.
        assertThat(waited[0]).isBetween(bytes * 3 / 10 - 300, bytes * 3 / 10 + 300);
    }
}
