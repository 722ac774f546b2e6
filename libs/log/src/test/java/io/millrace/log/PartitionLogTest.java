package io.millrace.log;

import static io.millrace.log.batch.TestBatch.batch;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

import io.millrace.log.batch.AppendOrigin;
import io.millrace.log.batch.LogRefused;
import io.millrace.log.batch.TestBatch;
import io.millrace.log.epoch.EpochEndOffset;
import io.millrace.log.producer.ProducerSummary;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.FileRecords;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PartitionLogTest {
    private static final int INDEX_ENTRY_BYTES = 8;
    private static final int TIME_ENTRY_BYTES = 12;

    @TempDir
    Path root;
    private LogFixture fixture;

    @BeforeEach
    void fixture() {
        fixture = new LogFixture(root);
    }

    // Appending

    @Test
    void offsetsEpochAndLogAppendTimeAreAssigned() throws IOException {
        fixture.set("message.timestamp.type", "LogAppendTime").open();
        fixture.append(batch().records(3));

        var result = fixture.log.append(batch().records(2).bytes(), 7, AppendOrigin.CLIENT);

        long now = fixture.loop.clock().millis();
        assertThat(result).isEqualTo(new AppendResult(3, 4, now, 0, false));
        var stored = fixture.read(3, 1).getFirst();
        assertThat(stored.leaderEpoch()).isEqualTo(7);
        assertThat(stored.maxTimestamp()).isEqualTo(now);
        assertThat(stored.hasValidCrc()).isTrue();
    }

    @Test
    void aBatchThatIsLargerThanASegmentIsRefused() throws IOException {
        fixture.open();

        refused(Errors.RECORD_LIST_TOO_LARGE, () -> fixture.append(batch().valueOf(2500)));
    }

    @Test
    void compressionTypeOfTheTopicIsApplied() throws IOException {
        fixture.set("compression.type", "lz4").open();

        fixture.append(batch().records(20).valueOf(50));

        assertThat(fixture.read(0, 10_000)).singleElement().satisfies(stored -> {
            assertThat(stored.codecId()).isEqualTo(3);
            assertThat(stored.count()).isEqualTo(20);
        });
    }

    @Test
    void aFollowerTakesOffsetsAsTheyComeAndRefusesThoseThatGoBack() throws IOException {
        fixture.open();

        var result = fixture.log.appendAsFollower(TestBatch.direct(batch().at(5).epoch(2).bytes(), batch().at(9).epoch(
                3).bytes(), batch().at(10).bytes().limit(40)));

        assertThat(result.lastOffset()).isEqualTo(9);
        assertThat(fixture.log.logEndOffset()).isEqualTo(10);
        assertThat(fixture.baseOffsets()).containsExactly(5L, 9L);
        assertThat(fixture.log.latestEpoch()).hasValue(3);
        refused(Errors.OFFSET_OUT_OF_RANGE, () -> fixture.log.appendAsFollower(batch().at(9).bytes()));
        var flipped = batch().at(11).bytes();
        flipped.put(70, (byte) ~flipped.get(70));
        refused(Errors.CORRUPT_MESSAGE, () -> fixture.log.appendAsFollower(flipped));
    }

    @Test
    void offsetsTooFarApartForOneSegmentGoIntoTwo() throws IOException {
        fixture.open();
        long far = 1L << 31;

        fixture.log.appendAsFollower(TestBatch.direct(batch().bytes(), batch().at(far).bytes()));
        fixture.log.appendAsFollower(batch().at(far + Integer.MAX_VALUE).bytes());
        fixture.log.appendAsFollower(batch().at(far + Integer.MAX_VALUE + 1L).bytes());

        assertThat(fixture.log.segmentCount()).isEqualTo(3);
        fixture.log.updateHighWatermark(Long.MAX_VALUE);
        assertThat(fixture.baseOffsets()).containsExactly(0L, far, far + Integer.MAX_VALUE, far + Integer.MAX_VALUE
                + 1L);
        fixture.crash();
        assertThat(fixture.baseOffsets()).hasSize(4);
    }

    // Reading

    @Test
    void theFirstBatchIsGivenWholeOrNotAtAll() throws IOException {
        fixture.open();
        int size = batch().valueOf(300).bytes().remaining();
        fixture.append(batch().valueOf(300));
        fixture.append(batch().valueOf(300));

        assertThat(fixture.read(0, 10)).hasSize(1);
        assertThat(fixture.log.read(0, size - 1, false, 2).slice()).isNull();
        assertThat(fixture.log.read(0, 0, false, 2).slice()).isNull();
        assertThat(fixture.log.read(0, size, false, 2).sizeBytes()).isEqualTo(size);
        assertThat(fixture.log.read(0, size + 10, false, 2).sizeBytes()).isEqualTo(size + 10);
    }

    @Test
    void nothingIsReadAtTheBoundAndAReadOutsideOfTheLogIsRefused() throws IOException {
        fixture.open();
        fixture.append(batch().records(3));
        fixture.append(batch().records(3));

        assertThat(fixture.read(0, 10_000, true, 3)).hasSize(1);
        assertThat(fixture.read(3, 10_000, true, 3)).isEmpty();
        assertThat(fixture.read(0, 10_000, true, 2)).isEmpty();
        assertThat(fixture.read(6, 10_000)).isEmpty();
        refused(Errors.OFFSET_OUT_OF_RANGE, () -> fixture.read(7, 1));
        fixture.log.deleteRecordsBefore(2);
        refused(Errors.OFFSET_OUT_OF_RANGE, () -> fixture.read(1, 1));
    }

    @Test
    void aSliceInFlightKeepsItsBytesThoughTheLogIsDeleted() throws IOException {
        fixture.open();
        fixture.append(batch());
        var slice = Objects.requireNonNull(fixture.log.read(0, 1000, true, 1).slice());

        fixture.log.delete();
        fixture.loop.advance(Duration.ofSeconds(5));

        assertThat(fixture.directory).doesNotExist();
        assertThat(root).isEmptyDirectory();
        var bytes = ByteBuffer.allocate(slice.size());
        assertThat(slice.channel().read(bytes, slice.position())).isEqualTo(slice.size());
        slice.close();
        slice.close();
        assertThat(slice.channel().isOpen()).isFalse();
        assertThatThrownBy(() -> fixture.read(0, 1)).isInstanceOf(ClosedLogException.class);
        assertThatThrownBy(() -> fixture.append(batch())).isInstanceOf(ClosedLogException.class);
        assertThat(fixture.failures).isEmpty();
    }

    @Test
    void theLatestTimeIsFoundWithItsOffset() throws IOException {
        fixture.open();
        assertThat(fixture.log.maxTimestamp()).isEmpty();
        fixture.append(batch().times(5L, 90L, 7L));
        fixture.append(batch().times(90L, 8L));

        assertThat(fixture.log.maxTimestamp()).contains(new TimestampAndOffset(90, 1, 0));
        assertThat(fixture.log.offsetForTimestamp(91)).isEmpty();
    }

    // Rolling

    @Test
    void aSegmentIsClosedWhenItIsFullOrOldOrItsIndexIsFull() throws IOException {
        fixture.set("segment.ms", 1000).set("segment.index.bytes", 16).set("index.interval.bytes", 0).open();
        fixture.append(batch().times(1L));
        fixture.append(batch().times(1001L));
        assertThat(fixture.log.segmentCount()).isEqualTo(1);

        fixture.append(batch().times(1002L));
        assertThat(fixture.log.segmentCount()).isEqualTo(2);

        fixture.append(batch().times(1003L));
        fixture.append(batch().times(1004L));
        fixture.append(batch().times(1005L));
        assertThat(fixture.log.segmentCount()).isGreaterThan(2);

        int before = fixture.log.segmentCount();
        fixture.append(batch().times(1005L).valueOf(1500));
        fixture.append(batch().times(1005L).valueOf(1500));
        assertThat(fixture.log.segmentCount()).isGreaterThan(before);
    }

    @Test
    void aRolledSegmentIsSyncedInTheBackgroundAndItsIndexesAreTrimmed() throws IOException {
        fixture.open();
        fixture.append(batch().valueOf(300));
        fixture.append(batch().valueOf(300));
        assertThat(fixture.log.recoveryPoint()).isZero();

        fixture.log.roll();
        fixture.loop.runPending();

        assertThat(fixture.log.recoveryPoint()).isEqualTo(2);
        assertThat(fixture.files()).contains("00000000000000000002.log", "00000000000000000002.snapshot",
                "leader-epoch-checkpoint");
        assertThat(Files.size(fixture.file(0, ".index"))).isEqualTo(INDEX_ENTRY_BYTES);
        assertThat(Files.size(fixture.file(0, ".timeindex"))).isEqualTo(TIME_ENTRY_BYTES);
    }

    @Test
    void flushIsBegunByMessagesAndByTime() throws IOException {
        fixture.set("flush.messages", 2).set("flush.ms", 1000).open();
        fixture.append(batch());
        fixture.loop.runPending();
        assertThat(fixture.log.recoveryPoint()).isZero();

        fixture.append(batch());
        fixture.loop.runPending();
        assertThat(fixture.log.recoveryPoint()).isEqualTo(2);

        fixture.append(batch());
        fixture.log.flushIfDue();
        assertThat(fixture.log.recoveryPoint()).isEqualTo(2);
        fixture.loop.advance(Duration.ofSeconds(1));
        fixture.log.flushIfDue();
        assertThat(fixture.log.recoveryPoint()).isEqualTo(3);
    }

    // Kafka reads it

    @Test
    void kafkaReadsEveryFile() throws IOException {
        fixture.set("index.interval.bytes", 100).open();
        for (int i = 0; i < 60; i++) {
            fixture.append(batch().times((long) (i * 37 % 50), (long) i).valueOf(20 + i));
        }
        fixture.log.close();

        var logs = fixture.files().stream().filter(name -> name.endsWith(".log")).toList();
        assertThat(logs).hasSizeGreaterThan(3);
        var offsets = new ArrayList<Long>();
        for (var name : logs) {
            try (var records = FileRecords.open(fixture.directory.resolve(name).toFile(), false)) {
                assertThat(records.sizeInBytes()).isEqualTo((int) Files.size(fixture.directory.resolve(name)));
                records.batches().forEach(read -> {
                    read.ensureValid();
                    read.forEach(record -> offsets.add(record.offset()));
                });
                checkIndexes(records, Long.parseLong(name.substring(0, 20)));
            }
        }
        assertThat(offsets).hasSize(120).isSorted().doesNotHaveDuplicates();
    }

    /// What Kafka's dump tool checks.
    private void checkIndexes(FileRecords records, long base) throws IOException {
        var index = ByteBuffer.wrap(Files.readAllBytes(fixture.file(base, ".index")));
        assertThat(index.remaining() % INDEX_ENTRY_BYTES).isZero();
        while (index.hasRemaining()) {
            long offset = base + index.getInt();
            assertThat(records.slice(index.getInt(), 2000).batches().iterator().next().lastOffset()).isEqualTo(offset);
        }
        var times = ByteBuffer.wrap(Files.readAllBytes(fixture.file(base, ".timeindex")));
        assertThat(times.remaining() % TIME_ENTRY_BYTES).isZero();
        assertThat(times.hasRemaining()).isTrue();
        long last = -1;
        while (times.hasRemaining()) {
            long time = times.getLong();
            long offset = base + times.getInt();
            assertThat(time).isGreaterThan(last);
            last = time;
            for (var read : records.batches()) {
                if (read.lastOffset() <= offset) {
                    assertThat(read.maxTimestamp()).isLessThanOrEqualTo(time);
                }
            }
        }
    }

    // Opening

    @Test
    void afterACleanStopNothingIsScanned() throws IOException {
        fixture.open();
        for (int i = 0; i < 30; i++) {
            fixture.append(batch().valueOf(200));
        }
        fixture.restart();
        assertThat(fixture.log.segmentCount()).isGreaterThan(3);
        assertThat(fixture.recovery).isEmpty();
        fixture.restart();
        assertThat(fixture.recovery).isEmpty();
    }

    @Test
    void aBatchThatRotsAfterACleanStopIsNotLookedAt() throws IOException {
        fixture.open();
        fixture.append(batch().producer(7, 0, 0));
        fixture.append(batch().producer(7, 0, 1));
        fixture.log.close();
        var bytes = Files.readAllBytes(fixture.file(0, ".log"));
        bytes[70] ^= 1;
        Files.write(fixture.file(0, ".log"), bytes);

        fixture.open(fixture.log.checkpoint(), true);

        assertThat(fixture.log.logEndOffset()).isEqualTo(2);
        assertThat(fixture.log.recoveryPoint()).isEqualTo(2);
        assertThat(fixture.append(batch().producer(7, 0, 1)).duplicate()).isTrue();
        assertThat(fixture.append(batch().producer(7, 0, 2)).baseOffset()).isEqualTo(2);
    }

    @Test
    void missingAndRottenSideFilesAreRebuilt() throws IOException {
        fixture.set("index.interval.bytes", 0).open();
        for (int i = 0; i < 40; i++) {
            fixture.log.append(batch().times((long) i).valueOf(50).bytes(), i / 20, AppendOrigin.CLIENT);
        }
        var before = fixture.baseOffsets();
        fixture.log.close();
        Files.delete(fixture.file(0, ".index"));
        Files.write(fixture.file(0, ".timeindex"), new byte[13]);
        for (var name : fixture.files()) {
            if (name.endsWith(".snapshot") || (name.endsWith(".index") && !name.startsWith("00000000000000000000"))) {
                Files.write(fixture.directory.resolve(name), new byte[]{1, 2, 3, -1, -1, -1, -1, -1});
            }
        }
        Files.writeString(fixture.directory.resolve("leader-epoch-checkpoint"), "0\n7\nrubbish");

        fixture.open(fixture.log.checkpoint(), true);

        assertThat(fixture.baseOffsets()).isEqualTo(before);
        assertThat(fixture.log.offsetForTimestamp(33)).contains(new TimestampAndOffset(33, 33, 1));
        assertThat(fixture.log.endOffsetFor(0)).isEqualTo(new EpochEndOffset(0, 20));
        assertThat(Files.size(fixture.file(0, ".index"))).isPositive();
    }

    @Test
    void whatATornWriteHasLeftIsCutAndNothingElse() throws IOException {
        fixture.open();
        for (int i = 0; i < 30; i++) {
            fixture.append(batch().producer(7, 0, i).valueOf(100));
        }
        var active = fixture.files().stream().filter(name -> name.endsWith(".log")).toList().getLast();
        Files.write(fixture.directory.resolve(active), new byte[500], StandardOpenOption.APPEND);

        fixture.crash();

        assertThat(fixture.log.logEndOffset()).isEqualTo(30);
        assertThat(fixture.recovery).as("segments still to be scanned").hasSize(fixture.log.segmentCount())
                .isSortedAccordingTo(Comparator.reverseOrder()).last().isEqualTo(1);
        assertThat(fixture.append(batch().producer(7, 0, 29).valueOf(100)).duplicate()).isTrue();
        assertThat(fixture.append(batch().producer(7, 0, 30)).baseOffset()).isEqualTo(30);
    }

    @Test
    void leftoversOfDeletionAndCompactionAreCleared() throws IOException {
        fixture.open();
        fixture.append(batch());
        fixture.log.close();
        Files.write(fixture.file(9, ".log.deleted"), new byte[9]);
        Files.write(fixture.file(9, ".log.cleaned"), new byte[9]);
        Files.write(fixture.file(9, ".index"), new byte[8]);
        Files.move(fixture.file(0, ".log"), fixture.file(0, ".log.swap"));

        fixture.open(fixture.log.checkpoint(), false);

        assertThat(fixture.baseOffsets()).containsExactly(0L);
        assertThat(fixture.files()).noneMatch(name -> name.endsWith(".deleted") || name.endsWith(".cleaned") || name
                .endsWith(".swap") || name.startsWith("00000000000000000009"));
    }

    @Test
    void largeLeftoversGoInTheBackground() throws IOException {
        fixture.open();
        fixture.append(batch());
        fixture.log.close();
        for (var name : List.of(".log.deleted", ".log.cleaned", ".log.swap")) {
            try (var file = FileChannel.open(fixture.file(9, name), StandardOpenOption.CREATE,
                    StandardOpenOption.WRITE)) {
                file.write(ByteBuffer.allocate(1), 20L << 20);
            }
        }
        Files.move(fixture.file(9, ".log.swap"), fixture.file(9, ".timeindex.swap"));

        fixture.open(fixture.log.checkpoint(), true);

        assertThat(fixture.files()).noneMatch(name -> name.startsWith("00000000000000000009")).filteredOn(name -> name
                .endsWith(".deleted")).hasSize(3);
        fixture.loop.advance(Duration.ofSeconds(1));
        assertThat(fixture.files()).noneMatch(name -> name.endsWith(".deleted"));
        assertThat(fixture.baseOffsets()).containsExactly(0L);
    }

    @Test
    void aLogThatNobodyTouchedIsClosedWithoutAWrite() throws IOException {
        var disk = new FailingDisk();
        fixture.disk = disk;
        fixture.open();
        for (int i = 0; i < 30; i++) {
            fixture.append(batch().producer(7, 0, i));
        }
        fixture.restart();
        fixture.log.beginEpoch(5);
        disk.failWritesAfter(0);

        fixture.log.close();

        assertThat(fixture.failures).isEmpty();
        disk.failWritesAfter(Integer.MAX_VALUE);
        fixture.open(fixture.log.checkpoint(), true);
        assertThat(fixture.log.logEndOffset()).isEqualTo(30);
        assertThat(fixture.append(batch().producer(7, 0, 29)).duplicate()).isTrue();
        fixture.append(batch().producer(7, 0, 30));
        disk.failWritesAfter(0);
        assertThatThrownBy(fixture.log::close).isInstanceOf(IOException.class);
    }

    @Test
    void theTopicIdIsKeptAndNeverChanged() throws IOException {
        var id = UUID.randomUUID();
        fixture.open();
        assertThat(fixture.log.topicId()).isNull();

        fixture.log.assignTopicId(id);
        fixture.restart();

        assertThat(fixture.log.topicId()).isEqualTo(id);
        fixture.log.assignTopicId(id);
        assertThatThrownBy(() -> fixture.log.assignTopicId(UUID.randomUUID())).isInstanceOf(
                IllegalStateException.class);
        var kafka = new Uuid(id.getMostSignificantBits(), id.getLeastSignificantBits());
        assertThat(fixture.directory.resolve("partition.metadata")).hasContent("version: 0\ntopic_id: " + kafka);
    }

    // Retention

    @Test
    void oldSegmentsGoAndTheirFilesAfterADelay() throws IOException {
        long now = fixture.loop.clock().millis();
        fixture.set("retention.ms", 2000).open();
        fixture.append(batch().times(now - 5000));
        fixture.log.roll();
        fixture.append(batch().times(now + 1_000_000_000));
        fixture.log.roll();
        fixture.append(batch().times(now - 5000));

        assertThat(fixture.log.deleteOldSegments()).isEqualTo(1);

        assertThat(fixture.log.logStartOffset()).isEqualTo(1);
        assertThat(fixture.files()).contains("00000000000000000000.log.deleted");
        fixture.loop.advance(Duration.ofSeconds(1));
        assertThat(fixture.files()).noneMatch(name -> name.startsWith("00000000000000000000"));
        assertThat(fixture.log.deleteOldSegments()).isZero();
    }

    @Test
    void wildTimesNeitherStopNorHastenRetention() throws IOException {
        long now = fixture.loop.clock().millis();
        long day = 86_400_000;
        fixture.set("retention.ms", 2000).set("retention.bytes", -1).open();
        for (long time : new long[]{now - day, 0, 1, now - 3000, now + 365 * day, now - day, Long.MAX_VALUE, -1}) {
            fixture.append(batch().times(time));
            fixture.log.roll();
        }
        fixture.append(batch().times(now));

        assertThat(fixture.log.deleteOldSegments()).as("all before the first that is of the future").isEqualTo(4);
        assertThat(fixture.log.logStartOffset()).isEqualTo(4);
        assertThat(fixture.log.deleteOldSegments()).isZero();
        fixture.loop.advance(Duration.ofDays(30));
        assertThat(fixture.log.deleteOldSegments()).as("nor do they go in time").isZero();
        assertThat(fixture.baseOffsets()).first().isEqualTo(4L);

        fixture.log.updateConfig(LogConfig.of(Map.of("retention.ms", "2000", "retention.bytes", "1",
                "file.delete.delay.ms", "0")));
        assertThat(fixture.log.deleteOldSegments()).as("by size they do").isPositive();
        assertThat(fixture.log.logStartOffset()).as("also the last one, which is old by now").isEqualTo(9);
        assertThat(fixture.append(batch().times(-1L)).baseOffset()).isEqualTo(9);
        fixture.crash();
        assertThat(fixture.log.logStartOffset()).isEqualTo(9);
    }

    @Test
    void retentionGoesByTheTimeOfTheLogWhereTheTopicSaysSo() throws IOException {
        long now = fixture.loop.clock().millis();
        fixture.set("retention.ms", 2000).set("message.timestamp.type", "LogAppendTime").open();
        for (long time : new long[]{now + 3_650L * 86_400_000, 0, -1, Long.MAX_VALUE}) {
            fixture.append(batch().times(time));
            fixture.log.roll();
        }
        assertThat(fixture.log.deleteOldSegments()).isZero();
        fixture.loop.advance(Duration.ofMillis(2500));
        fixture.append(batch().times(now - 86_400_000));

        assertThat(fixture.log.deleteOldSegments()).isEqualTo(4);
        assertThat(fixture.baseOffsets()).containsExactly(4L);
    }

    @Test
    void aSegmentWithAnOffsetTooFarFromItsBaseIsRefusedAndNotCut() throws IOException {
        fixture.open();
        fixture.append(batch());
        var far = TestBatch.batch().at((1L << 31) + 5).bytes();
        var bytes = new byte[far.remaining()];
        far.get(bytes);
        Files.write(fixture.file(0, ".log"), bytes, StandardOpenOption.APPEND);
        long size = Files.size(fixture.file(0, ".log"));

        assertThatThrownBy(fixture::crash).isInstanceOf(IOException.class).hasMessageContaining("2147483653")
                .hasMessageContaining("too far");

        assertThat(fixture.file(0, ".log")).hasSize(size);
    }

    @Test
    void anOldActiveSegmentIsRolledAndGoesButNothingAboveTheHighWatermark() throws IOException {
        fixture.set("retention.ms", 2000).open();
        fixture.log.append(batch().times(1L).bytes(), 0, AppendOrigin.CLIENT);
        assertThat(fixture.log.deleteOldSegments()).isZero();

        fixture.log.updateHighWatermark(1);

        assertThat(fixture.log.deleteOldSegments()).isEqualTo(1);
        assertThat(fixture.log.logStartOffset()).isEqualTo(1);
        assertThat(fixture.append(batch()).baseOffset()).isEqualTo(1);
        fixture.restart();
        assertThat(fixture.baseOffsets()).containsExactly(1L);
    }

    @Test
    void deletedRecordsStayDeletedAndCannotBeAboveTheHighWatermark() throws IOException {
        fixture.set("retention.ms", -1).open();
        for (int i = 0; i < 4; i++) {
            fixture.append(batch());
            fixture.log.roll();
        }

        fixture.log.deleteRecordsBefore(2);
        fixture.log.deleteRecordsBefore(1);

        assertThat(fixture.log.logStartOffset()).isEqualTo(2);
        assertThat(fixture.log.deleteOldSegments()).isEqualTo(2);
        refused(Errors.OFFSET_OUT_OF_RANGE, () -> fixture.log.deleteRecordsBefore(5));
        fixture.crash();
        assertThat(fixture.baseOffsets()).containsExactly(2L, 3L);
    }

    // Producers

    @Test
    void theLastFiveBatchesOfAProducerAreKnownAlsoAfterARestart() throws IOException {
        fixture.open();
        for (int i = 0; i < 7; i++) {
            fixture.append(batch().producer(7, 0, i * 2).records(2));
        }

        assertThat(fixture.append(batch().producer(7, 0, 4).records(2))).isEqualTo(new AppendResult(4, 5, -1, 0, true));
        refused(Errors.OUT_OF_ORDER_SEQUENCE_NUMBER, () -> fixture.append(batch().producer(7, 0, 2).records(2)));
        refused(Errors.OUT_OF_ORDER_SEQUENCE_NUMBER, () -> fixture.append(batch().producer(7, 0, 15)));
        refused(Errors.OUT_OF_ORDER_SEQUENCE_NUMBER, () -> fixture.append(batch().producer(7, 1, 14)));
        fixture.crash();
        assertThat(fixture.append(batch().producer(7, 0, 4).records(2)).duplicate()).isTrue();
        fixture.restart();
        for (int i = 2; i < 7; i++) {
            var again = fixture.append(batch().producer(7, 0, i * 2).records(2));
            assertThat(again).isEqualTo(new AppendResult(i * 2L, i * 2L + 1, -1, 0, true));
        }
        refused(Errors.OUT_OF_ORDER_SEQUENCE_NUMBER, () -> fixture.append(batch().producer(7, 0, 2).records(2)));
        assertThat(fixture.append(batch().producer(7, 1, 0)).baseOffset()).isEqualTo(14);
        refused(Errors.INVALID_PRODUCER_EPOCH, () -> fixture.append(batch().producer(7, 0, 14)));
    }

    @Test
    void aSequenceWrapsAround() throws IOException {
        fixture.open();
        fixture.append(batch().producer(7, 0, Integer.MAX_VALUE - 1).records(3));

        assertThat(fixture.append(batch().producer(7, 0, Integer.MAX_VALUE - 1).records(3)).duplicate()).isTrue();
        assertThat(fixture.append(batch().producer(7, 0, 1)).baseOffset()).isEqualTo(3);
    }

    @Test
    void silentProducersAreForgottenButNotThoseInATransaction() throws IOException {
        fixture.open();
        long now = fixture.loop.clock().millis();
        fixture.append(batch().times(now).producer(7, 0, 0));
        fixture.append(batch().times(now).producer(8, 0, 0).inTransaction());
        assertThat(fixture.log.lastStableOffset()).isEqualTo(1);

        fixture.loop.advance(Duration.ofDays(1));

        assertThat(fixture.log.expireProducers()).isEqualTo(1);
        assertThat(fixture.log.activeProducers()).extracting(ProducerSummary::producerId).containsExactly(8L);
    }

    @Test
    void truncationForgetsWhatProducersSentAfterIt() throws IOException {
        fixture.open();
        for (int i = 0; i < 30; i++) {
            fixture.log.append(batch().producer(7, 0, i).valueOf(100).bytes(), i / 10, AppendOrigin.CLIENT);
        }

        fixture.log.truncateTo(12);

        assertThat(fixture.log.logEndOffset()).isEqualTo(12);
        assertThat(fixture.log.latestEpoch()).hasValue(1);
        refused(Errors.OUT_OF_ORDER_SEQUENCE_NUMBER, () -> fixture.append(batch().producer(7, 0, 13)));
        assertThat(fixture.append(batch().producer(7, 0, 12)).baseOffset()).isEqualTo(12);
        fixture.log.truncateFullyAndStartAt(100);
        assertThat(fixture.append(batch().producer(7, 0, 55)).baseOffset()).isEqualTo(100);
        assertThat(fixture.log.logStartOffset()).isEqualTo(100);
        fixture.crash();
        assertThat(fixture.baseOffsets()).containsExactly(100L);
    }

    // A disk that fails

    @Test
    void aFailingDiskIsReportedOnceAndEndsAllChanges() throws IOException {
        var disk = new FailingDisk();
        fixture.disk = disk;
        fixture.open();
        fixture.append(batch());

        disk.failWrites();

        assertThatThrownBy(() -> fixture.append(batch())).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> fixture.append(batch())).isInstanceOf(IOException.class);
        assertThat(fixture.failures).hasSize(1);
        assertThat(fixture.log.hasFailed()).isTrue();
        assertThat(fixture.log.logEndOffset()).isEqualTo(1);
        assertThat(fixture.baseOffsets()).containsExactly(0L);
        fixture.log.close();
    }

    private static void refused(Errors expected, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(LogRefused.class, refused -> assertThat(refused.error())
                .isEqualTo(expected));
    }
}
