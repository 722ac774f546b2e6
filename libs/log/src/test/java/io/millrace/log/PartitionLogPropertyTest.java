package io.millrace.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;

import io.millrace.base.simulation.Seeds;
import io.millrace.log.batch.AppendOrigin;
import io.millrace.log.batch.TestBatch;
import org.apache.kafka.common.compress.Compression;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Random operations on a log and on a list, which must agree after each.
class PartitionLogPropertyTest {
    private static final int STEPS = 120;
    private static final List<Compression> CODECS = List.of(Compression.NONE, Compression.gzip().build(), Compression
            .snappy().build(), Compression.lz4().build(), Compression.zstd().build());

    @TempDir
    Path root;

    /// @param bytes as they were after the append
    private record Kept(long base, long last, List<Long> times, ByteBuffer bytes) {}

    static LongStream seeds() {
        return Seeds.of(12);
    }

    @ParameterizedTest(name = "-Dseed={0}")
    @MethodSource("seeds")
    void aLogIsAListOfBatches(long seed) throws IOException {
        new Run(seed, new LogFixture(root).set("retention.bytes", 3000).set("retention.ms", -1)).go();
    }

    private static final class Run {
        private final Random random;
        private final LogFixture fixture;
        private final List<Kept> kept = new ArrayList<>();
        private long start;
        private long end;

        Run(long seed, LogFixture fixture) {
            this.random = new Random(seed);
            this.fixture = fixture;
        }

        void go() throws IOException {
            fixture.open();
            for (int step = 0; step < STEPS; step++) {
                step();
                fixture.log.updateHighWatermark(end);
                agree();
            }
            fixture.log.close();
            assertThat(fixture.failures).isEmpty();
        }

        private void step() throws IOException {
            int choice = random.nextInt(100);
            if (choice < 60) {
                append();
            } else if (choice < 64) {
                fixture.log.roll();
            } else if (choice < 68) {
                truncate();
            } else if (choice < 73) {
                deleteRecords();
            } else if (choice < 77) {
                retain();
            } else if (choice < 82) {
                fixture.log.flush();
                fixture.loop.advance(Duration.ofSeconds(2));
            } else if (choice < 87) {
                fixture.restart();
            } else if (choice < 93) {
                fixture.crash();
            } else {
                tearAndCrash();
            }
        }

        private void append() throws IOException {
            var times = new ArrayList<Long>();
            int count = 1 + random.nextInt(4);
            for (int i = 0; i < count; i++) {
                times.add(random.nextLong(10_000));
            }
            var bytes = TestBatch.batch().times(times.toArray(Long[]::new)).valueOf(random.nextInt(150)).codec(CODECS
                    .get(random.nextInt(CODECS.size()))).bytes();
            var result = fixture.log.append(bytes, random.nextInt(3) == 0 ? 1 : 0, AppendOrigin.CLIENT);
            assertThat(result.baseOffset()).isEqualTo(end);
            kept.add(new Kept(end, end + count - 1, times, bytes));
            end += count;
        }

        private void truncate() throws IOException {
            if (end > start) {
                long offset = end - random.nextLong(Math.min(end - start, 8));
                fixture.log.truncateTo(offset);
                kept.removeIf(batch -> batch.last >= offset);
                end = kept.isEmpty() ? fixture.log.logEndOffset() : kept.getLast().last + 1;
                start = Math.min(start, end);
            }
        }

        private void deleteRecords() throws IOException {
            long offset = start + random.nextLong(Math.min(end - start, 10) + 1);
            fixture.log.deleteRecordsBefore(offset);
            start = offset;
        }

        private void retain() throws IOException {
            long before = fixture.log.sizeBytes();
            int deleted = fixture.log.deleteOldSegments();
            assertThat(fixture.log.logStartOffset()).isGreaterThanOrEqualTo(start);
            if (deleted > 0 && fixture.log.logStartOffset() > start) {
                assertThat(before).isGreaterThan(3000);
                assertThat(fixture.log.sizeBytes()).isGreaterThanOrEqualTo(3000);
            }
            start = fixture.log.logStartOffset();
        }

        /// The machine dies: what is past the recovery point of the last segment may be torn or wrong.
        private void tearAndCrash() throws IOException {
            var logs = fixture.files().stream().filter(name -> name.endsWith(".log")).toList();
            var name = logs.getLast();
            long base = Long.parseLong(name.substring(0, 20));
            var unsafe = kept.stream().filter(batch -> batch.base >= base && batch.last >= fixture.log
                    .recoveryPoint()).toList();
            if (!unsafe.isEmpty()) {
                var victim = unsafe.get(random.nextInt(unsafe.size()));
                int position = kept.stream().filter(batch -> batch.base >= base && batch.base < victim.base).mapToInt(
                        batch -> batch.bytes.limit()).sum();
                try (var file = FileChannel.open(fixture.directory.resolve(name), StandardOpenOption.READ,
                        StandardOpenOption.WRITE)) {
                    if (random.nextBoolean()) {
                        file.truncate(position + 1 + random.nextInt(victim.bytes.limit() - 1));
                    } else {
                        flip(file, position + 17 + random.nextInt(victim.bytes.limit() - 17));
                    }
                }
                kept.removeIf(batch -> batch.base >= victim.base);
                end = victim.base;
                start = Math.min(start, end);
            }
            fixture.crash();
            // A log that ends before its start begins anew at that start.
            end = Math.max(end, fixture.log.logStartOffset());
            start = fixture.log.logStartOffset();
        }

        private void flip(FileChannel file, long position) throws IOException {
            var one = ByteBuffer.allocate(1);
            file.read(one, position);
            one.put(0, (byte) (one.get(0) ^ (1 << random.nextInt(8))));
            file.write(one.flip(), position);
        }

        private void agree() throws IOException {
            assertThat(fixture.log.logEndOffset()).isEqualTo(end);
            assertThat(fixture.log.logStartOffset()).isEqualTo(start);
            var readable = kept.stream().filter(batch -> batch.last >= start).toList();
            assertThat(fixture.baseOffsets()).isEqualTo(readable.stream().map(Kept::base).toList());
            for (int i = 0; i < 3 && end > start; i++) {
                long offset = start + random.nextLong(end - start);
                var first = readable.stream().filter(batch -> batch.last >= offset).findFirst();
                var found = fixture.read(offset, 1 + random.nextInt(1000));
                assertThat(found.stream().findFirst().map(batch -> batch.bytes())).isEqualTo(first.map(
                        batch -> batch.bytes.duplicate()));
                long bound = offset + random.nextLong(end - offset + 1);
                assertThat(fixture.read(offset, 10_000, true, bound)).allMatch(batch -> batch.baseOffset() < bound);
            }
            long time = random.nextLong(11_000);
            assertThat(fixture.log.offsetForTimestamp(time).map(TimestampAndOffset::offset)).isEqualTo(firstNotBefore(
                    readable, time));
        }

        private Optional<Long> firstNotBefore(List<Kept> readable, long time) {
            for (var batch : readable) {
                for (int i = 0; i < batch.times.size(); i++) {
                    if (batch.times.get(i) >= time && batch.base + i >= start) {
                        return Optional.of(batch.base + i);
                    }
                }
            }
            return Optional.empty();
        }
    }
}
