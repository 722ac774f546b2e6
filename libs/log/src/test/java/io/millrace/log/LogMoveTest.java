package io.millrace.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;

import io.millrace.log.LogDirectory.Identity;
import io.millrace.log.batch.AppendOrigin;
import io.millrace.log.batch.Batch;
import io.millrace.log.batch.Batches;
import io.millrace.log.batch.TestBatch;
import io.millrace.log.disk.Disk;
import io.millrace.log.disk.SimulatedDisk;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A log that moves from one directory to another.
class LogMoveTest {
    private static final PartitionId ID = new PartitionId("t", 0);
    private static final UUID TOPIC = new UUID(1, 2);
    private static final int PIECE = 500;

    @TempDir
    Path root;
    private LogFixture fixture;
    private LogDirectory from;
    private LogDirectory to;
    private PartitionLog log;

    @BeforeEach
    void open() throws IOException {
        fixture = new LogFixture(root).set("segment.bytes", 600);
        openDirectories();
        log = from.openLog(ID, TOPIC, LogConfig.of(fixture.settings));
    }

    private Map<PartitionId, LogDirectory> openDirectories() throws IOException {
        from = LogDirectory.open(root.resolve("a"), new Identity("c", 1), fixture.runtime());
        to = LogDirectory.open(root.resolve("b"), new Identity("c", 1), fixture.runtime());
        return InterruptedMoves.settle(List.of(from, to), true);
    }

    private void append(int batches) throws IOException {
        for (int i = 0; i < batches; i++) {
            log.append(TestBatch.batch().records(3).bytes(), 4, AppendOrigin.CLIENT);
        }
        log.updateHighWatermark(log.logEndOffset());
    }

    private static void copyAll(LogMove move) throws IOException {
        while (move.copy(PIECE) > 0) {
            // until it is as long
        }
    }

    private static List<Long> baseOffsets(PartitionLog log) throws IOException {
        var found = new ArrayList<Long>();
        long next = log.logStartOffset();
        while (next < log.logEndOffset()) {
            for (var batch : batches(log, next)) {
                found.add(batch.baseOffset());
                next = batch.lastOffset() + 1;
            }
        }
        return found;
    }

    private static List<Batch> batches(PartitionLog log, long offset) throws IOException {
        try (var slice = Objects.requireNonNull(log.read(offset, 700, true, Long.MAX_VALUE).slice())) {
            var bytes = ByteBuffer.allocate(slice.size());
            while (bytes.hasRemaining() && slice.channel().read(bytes, slice.position() + bytes.position()) >= 0) {
                // as far as it goes
            }
            return Batches.in(bytes.flip());
        }
    }

    @Test
    void theLogGoesOnInTheOtherDirectoryWithAllThatIsKnownOfIt() throws IOException {
        append(10);
        log.deleteRecordsBefore(4);
        var move = LogMove.begin(ID, log, from, to);
        move.copy(PIECE);
        append(5);
        var before = baseOffsets(log);
        assertThat(move.lag()).isPositive();
        copyAll(move);
        append(1);
        log.beginEpoch(9);
        var producers = log.activeProducers();
        var open = Objects.requireNonNull(log.read(4, 100, true, Long.MAX_VALUE).slice());

        move.finish();

        assertThat(log.directory()).isEqualTo(root.resolve("b/t-0"));
        assertThat(from.logs()).isEmpty();
        assertThat(to.logs()).containsExactly(log);
        assertThat(log.checkpoint()).isEqualTo(new LogCheckpoint(48, 4, 48));
        assertThat(baseOffsets(log)).startsWith(before.toArray(Long[]::new)).hasSize(before.size() + 1);
        assertThat(log.latestEpoch()).hasValue(9);
        assertThat(log.epochOf(4)).hasValue(4);
        assertThat(log.topicId()).isEqualTo(TOPIC);
        assertThat(log.activeProducers()).isEqualTo(producers);
        assertThat(open.channel().read(ByteBuffer.allocate(61), open.position())).isEqualTo(61);
        open.close();
        append(2);
        assertThat(log.logEndOffset()).isEqualTo(54);
        fixture.loop.advance(Duration.ofMinutes(1));
        assertThat(names("a")).noneMatch(name -> name.startsWith("t-0"));
        assertThat(names("b")).filteredOn(name -> name.startsWith("t-0")).containsExactly("t-0");

        from.close();
        to.close();
        assertThat(openDirectories()).isEmpty();
        assertThat(from.find()).isEmpty();
        log = to.openLog(ID, TOPIC, LogConfig.of(fixture.settings));
        assertThat(log.checkpoint()).isEqualTo(new LogCheckpoint(54, 4, 54));
        var back = LogMove.begin(ID, log, to, from);
        copyAll(back);
        back.finish();
        assertThat(log.checkpoint()).isEqualTo(new LogCheckpoint(54, 4, 54));
        assertThat(fixture.failures).isEmpty();
    }

    @Test
    void whatWasCutOffMeanwhileIsNotInTheCopy() throws IOException {
        append(10);
        var move = LogMove.begin(ID, log, from, to);
        copyAll(move);
        log.truncateTo(12);
        append(1);
        move.finish();
        assertThat(baseOffsets(log)).containsExactly(0L, 3L, 6L, 9L, 12L);

        var back = LogMove.begin(ID, log, to, from);
        copyAll(back);
        log.truncateFullyAndStartAt(100);
        append(1);
        back.finish();
        assertThat(baseOffsets(log)).containsExactly(100L);
        assertThat(log.logStartOffset()).isEqualTo(100);
    }

    @Test
    void cancelledMoveLeavesNothingAndASecondOneSucceeds() throws IOException {
        append(4);
        var move = LogMove.begin(ID, log, from, to);
        move.copy(PIECE);
        move.cancel();
        assertThat(names("b")).noneMatch(name -> name.endsWith("-future"));
        fixture.loop.advance(Duration.ofSeconds(1));
        assertThat(names("b")).noneMatch(name -> name.startsWith("t-0"));
        assertThatThrownBy(() -> move.copy(PIECE)).isInstanceOf(ClosedLogException.class);

        var again = LogMove.begin(ID, log, from, to);
        again.finish();
        assertThat(baseOffsets(log)).containsExactly(0L, 3L, 6L, 9L);
    }

    @Test
    void logThatIsDeletedMeanwhileIsNotBroughtBack() throws IOException {
        append(4);
        var move = LogMove.begin(ID, log, from, to);
        move.copy(PIECE);
        from.deleteLog(ID);

        assertThatThrownBy(move::finish).isInstanceOf(ClosedLogException.class);
        move.cancel();

        fixture.loop.advance(Duration.ofSeconds(1));
        assertThat(names("b")).noneMatch(name -> name.startsWith("t-0"));
        assertThat(fixture.failures).isEmpty();
    }

    @Test
    void moveThatAStopCutShortBeginsAnewAndWhereADirectoryIsMissingNothingIsTouched() throws IOException {
        append(4);
        var move = LogMove.begin(ID, log, from, to);
        move.copy(PIECE);
        move.stop();
        from.close();
        to.close();

        to = LogDirectory.open(root.resolve("b"), new Identity("c", 1), fixture.runtime());
        assertThat(InterruptedMoves.settle(List.of(to), false)).isEmpty();
        assertThat(to.find()).isEmpty();
        assertThat(names("b")).anyMatch(name -> name.matches("t-0\\.[0-9a-f]{32}-future"));
        to.close();

        assertThat(openDirectories()).isEqualTo(Map.of(ID, to));
        assertThat(from.find()).hasSize(1);
        fixture.loop.advance(Duration.ofMinutes(2));
        assertThat(names("b")).noneMatch(name -> name.startsWith("t-0"));
    }

    /// The disk refuses every write from some moment on; then the process ends, or the power goes, and it starts again with a
    /// disk that works.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whateverWriteFailsOneWholeLogIsLeft(boolean powerGoes) throws IOException {
        root = Path.of("/disks");
        for (int writes = 0;; writes++) {
            fixture = new LogFixture(root).set("segment.bytes", 600);
            var machine = new SimulatedDisk(fixture.loop.clock());
            var disk = new FailingDisk(machine);
            fixture.disk = disk;
            openDirectories();
            for (var path = root.resolve("a"); path != null; path = path.getParent()) {
                machine.syncDirectory(path);
            }
            log = from.openLog(ID, TOPIC, LogConfig.of(fixture.settings));
            append(6);
            log.flush();
            from.writeCheckpoints();
            var expected = baseOffsets(log);
            disk.failWritesAfter(writes);
            boolean finished = moveWhole();

            if (powerGoes) {
                machine.losePower(new Random(writes));
            } else {
                machine.processEnded();
            }
            fixture.disk = machine;
            openDirectories();
            var found = new ArrayList<>(from.find());
            found.addAll(to.find());
            assertThat(found).as("after %d writes", writes).hasSize(1);
            log = (from.find().isEmpty() ? to : from).openLog(ID, TOPIC, LogConfig.of(fixture.settings));
            assertThat(baseOffsets(log)).as("after %d writes", writes).isEqualTo(expected);
            assertThat(log.latestEpoch()).hasValue(4);
            if (finished) {
                assertThat(writes).isGreaterThan(20);
                return;
            }
        }
    }

    private boolean moveWhole() {
        try {
            var move = LogMove.begin(ID, log, from, to);
            copyAll(move);
            move.finish();
            return true;
        } catch (IOException expected) {
            return false;
        }
    }

    private List<String> names(String directory) throws IOException {
        return Disk.FILES.list(root.resolve(directory));
    }
}
