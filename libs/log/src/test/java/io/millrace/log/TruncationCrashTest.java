package io.millrace.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.LongStream;

import io.millrace.base.simulation.Seeds;
import io.millrace.log.LogDirectory.Identity;
import io.millrace.log.batch.Batches;
import io.millrace.log.batch.TestBatch;
import io.millrace.log.epoch.EpochEndOffset;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// A follower's log through leader changes, truncations, deletions of records and crashes at any point, beside a list of who wrote which offset.
/// What the log says of its epochs must be what its batches say, whatever the files were at the crash.
class TruncationCrashTest {
    private static final int STEPS = 60;
    private static final PartitionId ID = new PartitionId("t", 0);
    private static final UUID TOPIC = new UUID(1, 2);

    @TempDir
    Path root;

    static LongStream seeds() {
        return Seeds.of(15);
    }

    @ParameterizedTest(name = "-Dseed={0}")
    @MethodSource("seeds")
    void theEpochsAreThoseOfTheBatchesAfterEveryCrash(long seed) throws IOException {
        new Run(new Random(seed), root).go();
    }

    private static final class Run {
        private final Random random;
        private final Path root;
        private final LogFixture fixture;
        /// The epoch that wrote each offset.
        private final List<Integer> written = new ArrayList<>();
        /// Where batches begin, and the log ends.
        private final TreeSet<Long> bases = new TreeSet<>(List.of(0L));
        private FailingDisk disk = new FailingDisk();
        private int life;
        private int epoch;
        private LogDirectory directory;
        private PartitionLog log;

        Run(Random random, Path root) throws IOException {
            this.random = random;
            this.root = root;
            this.fixture = new LogFixture(root);
            this.directory = open();
            this.log = openLog();
        }

        private LogDirectory open() throws IOException {
            disk = new FailingDisk();
            fixture.disk = disk;
            return LogDirectory.open(root.resolve("life-" + life), new Identity("c", 1), fixture.runtime());
        }

        private PartitionLog openLog() throws IOException {
            fixture.set("segment.bytes", 400);
            var opened = directory.openLog(ID, TOPIC, LogConfig.of(fixture.settings));
            // As a broker does at its start.
            directory.writeCheckpoints();
            return opened;
        }

        void go() throws IOException {
            for (int i = 0; i < STEPS; i++) {
                switch (random.nextInt(13)) {
                    case 0 -> epoch += 1 + random.nextInt(2);
                    case 1 -> truncate();
                    case 2 -> log.flush();
                    case 3 -> fixture.loop.advance(Duration.ofSeconds(1));
                    case 4 -> directory.writeCheckpoints();
                    case 5 -> crash();
                    case 6 -> crashInTheMiddleOfATruncation();
                    case 7 -> deleteRecords();
                    default -> append();
                }
                check();
            }
        }

        private void append() throws IOException {
            int records = 1 + random.nextInt(3);
            bases.add(log.logEndOffset());
            log.appendAsFollower(TestBatch.batch().records(records).at(log.logEndOffset()).epoch(epoch).bytes());
            for (int i = 0; i < records; i++) {
                written.add(epoch);
            }
        }

        private void deleteRecords() throws IOException {
            // Not in the middle of a batch, which a truncation cuts as a whole, so that the log would end below its start.
            long before = bases.floor(anyOffset());
            log.updateHighWatermark(before);
            log.deleteRecordsBefore(before);
        }

        private long anyOffset() {
            return random.nextLong(log.logStartOffset(), written.size() + 1);
        }

        private void truncate() throws IOException {
            log.truncateTo(anyOffset());
            cutModel();
            epoch++;
        }

        /// Whole batches are cut: where, only the log knows.
        private void cutModel() {
            int end = (int) log.logEndOffset();
            assertThat(end).isLessThanOrEqualTo(written.size());
            written.subList(end, written.size()).clear();
            bases.tailSet((long) end, false).clear();
        }

        private void crashInTheMiddleOfATruncation() throws IOException {
            disk.failWritesAfter(random.nextInt(12));
            try {
                log.truncateTo(anyOffset());
            } catch (IOException expected) {
                assertThat(expected).hasMessageContaining("no space left");
            }
            crash();
            cutModel();
            epoch++;
        }

        /// The process is gone, and finds at its next start what is on disk.
        private void crash() throws IOException {
            var before = root.resolve("life-" + life);
            life++;
            var after = root.resolve("life-" + life);
            try (var files = Files.walk(before)) {
                for (var file : files.toList()) {
                    Files.copy(file, after.resolve(before.relativize(file).toString()));
                }
            }
            disk.failWritesAfter(0);
            try {
                directory.close();
            } catch (IOException expected) {
                assertThat(expected).hasMessageContaining("no space left");
            }
            directory = open();
            log = openLog();
        }

        private void check() throws IOException {
            assertThat(log.logEndOffset()).isEqualTo(written.size());
            int start = (int) log.logStartOffset();
            assertThat(inBatches(start)).isEqualTo(written.subList(start, written.size()));
            for (int offset = start; offset < written.size(); offset++) {
                assertThat(log.epochOf(offset)).as("offset %d of %s", offset, written).hasValue(written.get(offset));
            }
            // Of a log without records nobody needs to know.
            for (int asked = 0; start < written.size() && asked <= epoch; asked++) {
                assertThat(log.endOffsetFor(asked)).as("epoch %d of %s", asked, written).isEqualTo(endOf(asked));
            }
        }

        private List<Integer> inBatches(int start) throws IOException {
            var found = new ArrayList<Integer>();
            while (start + found.size() < log.logEndOffset()) {
                var slice = Objects.requireNonNull(log.read(start + found.size(), 10_000, true, Long.MAX_VALUE)
                        .slice());
                try (slice) {
                    var bytes = ByteBuffer.allocate(slice.size());
                    while (bytes.hasRemaining() && slice.channel().read(bytes, slice.position() + bytes
                            .position()) >= 0) {
                        // as far as it goes
                    }
                    for (var batch : Batches.in(bytes.flip())) {
                        for (long offset = Math.max(start, batch.baseOffset()); offset <= batch
                                .lastOffset(); offset++) {
                            found.add(batch.leaderEpoch());
                        }
                    }
                }
            }
            return found;
        }

        /// As OffsetForLeaderEpoch says it, found the slow way.
        private EpochEndOffset endOf(int asked) {
            if (written.getLast() < asked) {
                return EpochEndOffset.UNDEFINED;
            }
            int start = (int) log.logStartOffset();
            if (asked < written.get(start)) {
                return new EpochEndOffset(asked, start);
            }
            int end = 0;
            while (end < written.size() && written.get(end) <= asked) {
                end++;
            }
            return new EpochEndOffset(written.get(end - 1), end);
        }
    }
}
