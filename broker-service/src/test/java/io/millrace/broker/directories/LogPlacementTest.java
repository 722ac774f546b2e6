package io.millrace.broker.directories;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Executors;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.base.loop.Timeout;
import io.millrace.base.simulation.SimulatedLoop;
import io.millrace.broker.directories.LogDirectories.Placement;
import io.millrace.log.LogConfig;
import io.millrace.log.LogDirectory.Identity;
import io.millrace.log.LogMetrics;
import io.millrace.log.LogRuntime;
import io.millrace.log.PartitionId;
import io.millrace.log.PartitionLog;
import io.millrace.log.batch.AppendOrigin;
import io.millrace.log.disk.Background;
import io.millrace.log.disk.Disk;
import io.millrace.service.lifecycle.StartRefused;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Where logs are made, and how they come to where somebody asked for them.
class LogPlacementTest {
    private static final UUID ID = new UUID(1, 2);
    private static final LogConfig CONFIG = LogConfig.of(Map.of());

    @TempDir
    private Path folder;
    private final SimulatedLoop loop = new SimulatedLoop();
    private final DirectoryFailures failures = new DirectoryFailures(Runnable::run);
    private long bytesPerSecond = Long.MAX_VALUE;
    private LogDirectories directories;

    @BeforeEach
    void open() {
        directories = open("a", "b");
    }

    private LogDirectories open(String... names) {
        return LogDirectories.open(Arrays.stream(names).map(this::path).toList(), new Identity("c", 0), runtime(),
                failures, () -> bytesPerSecond);
    }

    private PartitionLog openLog(PartitionId id) throws IOException {
        return directories.openLog(id, ID, CONFIG, true);
    }

    @AfterEach
    void close() {
        directories.close();
    }

    @Test
    void logIsMadeWhereItWasAskedForAndThenLiesThere() throws IOException {
        for (int partition = 0; partition < 4; partition++) {
            var id = new PartitionId("t", partition);
            assertThat(directories.place(id, path("b"))).isEqualTo(Placement.LATER);
            openLog(id);
            assertThat(directories.place(id, folder.resolve("x/../b"))).isEqualTo(Placement.THERE);
        }

        assertThat(directories.logsIn(directories.directories().getLast())).hasSize(4);
        assertThat(directories.place(new PartitionId("t", 0), path("a"))).isEqualTo(Placement.MOVING);
    }

    @Test
    void wishHoldsForOneLogAndOnlyOnce() throws IOException {
        var id = new PartitionId("t", 0);
        directories.place(id, path("b"));
        openLog(id);
        directories.deleteLog(id);

        // The emptiest, which is the first of two that are empty.
        openLog(id);

        assertThat(directories.place(id, path("a"))).isEqualTo(Placement.THERE);
    }

    @Test
    void directoryThatIsNoneOrFailedIsRefusedAndAWishForItForgotten() throws IOException {
        var id = new PartitionId("t", 0);
        directories.place(id, path("b"));
        failures.failed(path("b").resolve("t-0"), new IOException("gone"));

        assertThat(directories.place(new PartitionId("t", 1), path("c"))).isEqualTo(Placement.UNKNOWN);
        assertThat(directories.place(new PartitionId("t", 1), path("b"))).isEqualTo(Placement.UNUSABLE);
        openLog(id);
        assertThat(directories.place(id, path("a"))).isEqualTo(Placement.THERE);
    }

    private PartitionLog filled(PartitionId id, int batches) throws IOException {
        directories.place(id, path("a"));
        var log = openLog(id);
        for (int i = 0; i < batches; i++) {
            log.append(batch(1000), 0, AppendOrigin.CLIENT);
        }
        return log;
    }

    private static ByteBuffer batch(int bytes) {
        return MemoryRecords.withRecords(Compression.NONE, new SimpleRecord(1, new byte[bytes])).buffer();
    }

    @Test
    void logsMoveTogetherAtNoMoreThanTheirRateAndAHigherOneHoldsAtOnce() throws IOException {
        bytesPerSecond = 1000;
        var first = filled(new PartitionId("t", 0), 5);
        var second = filled(new PartitionId("t", 1), 5);
        for (int partition = 0; partition < 2; partition++) {
            assertThat(directories.place(new PartitionId("t", partition), path("b"))).isEqualTo(Placement.MOVING);
            assertThat(directories.place(new PartitionId("t", partition), path("b"))).isEqualTo(Placement.MOVING);
        }
        assertThat(directories.moving()).isEqualTo(2);
        loop.advance(Duration.ofSeconds(5));

        var moves = directories.movesTo(directories.directories().getLast());
        assertThat(moves).hasSize(2).allSatisfy(move -> assertThat(move.lag()).isBetween(1L, 4L));
        assertThat(directories.logsIn(directories.directories().getFirst())).hasSize(2);
        assertThat(first.directory().getParent()).isEqualTo(path("a"));

        bytesPerSecond = Long.MAX_VALUE;
        loop.advance(Duration.ofSeconds(3));
        assertThat(directories.moving()).isZero();
        assertThat(directories.logsIn(directories.directories().getLast()).values()).containsExactlyInAnyOrder(first,
                second);
        assertThat(second.directory()).isEqualTo(path("b").resolve("t-1"));
        assertThat(second.logEndOffset()).isEqualTo(5);
    }

    @Test
    void logThatIsWantedWhereItIsOrDeletedIsMovedNoFurther() throws IOException {
        bytesPerSecond = 1000;
        var stays = new PartitionId("t", 0);
        var goes = new PartitionId("t", 1);
        filled(stays, 5);
        filled(goes, 5);
        directories.place(stays, path("b"));
        directories.place(goes, path("b"));
        loop.advance(Duration.ofSeconds(2));

        assertThat(directories.place(stays, path("a"))).isEqualTo(Placement.THERE);
        directories.deleteLog(goes);

        assertThat(directories.moving()).isZero();
        loop.advance(Duration.ofMinutes(2));
        assertThat(directories.logsIn(directories.directories().getFirst())).containsOnlyKeys(stays);
        assertThat(Disk.FILES.list(path("b"))).noneMatch(name -> name.startsWith("t-"));
    }

    @Test
    void moveGoesOnAfterARestartAndEndsWhereADirectoryFails() throws IOException {
        bytesPerSecond = 1000;
        var id = new PartitionId("t", 0);
        filled(id, 5);
        directories.place(id, path("b"));
        loop.advance(Duration.ofSeconds(2));
        directories.close();

        directories = open("a", "b");
        directories.recover(new Recovery(1, Executors::newFixedThreadPool, new SimpleMeterRegistry()), CONFIG);
        assertThat(directories.moving()).isEqualTo(1);

        failures.failed(path("b").resolve("t-0"), new IOException("gone"));
        loop.advance(Duration.ofSeconds(20));
        assertThat(directories.moving()).isZero();
        assertThat(directories.logsIn(directories.directories().getFirst())).containsOnlyKeys(id);
    }

    @Test
    void brokerStartsWithoutADirectoryAndMakesNoLogAnewThatMayLieThere() throws IOException {
        directories.close();
        Files.writeString(path("broken"), "a file where a directory should be");
        directories = open("broken", "b");

        assertThat(directories.missing()).containsExactly(path("broken"));
        assertThat(directories.offline()).isEqualTo(1);
        var id = new PartitionId("t", 0);
        assertThat(directories.place(id, path("broken"))).isEqualTo(Placement.UNUSABLE);
        assertThatThrownBy(() -> directories.openLog(id, ID, CONFIG, false)).hasMessageContaining("may lie in");
        assertThat(openLog(id).directory()).isEqualTo(path("b").resolve("t-0"));

        assertThatThrownBy(() -> open("broken")).isInstanceOf(StartRefused.class);
        assertThatThrownBy(() -> open("b")).isInstanceOf(StartRefused.class).hasMessageContaining("in use");
    }

    private Path path(String name) {
        return folder.resolve(name);
    }

    private LogRuntime runtime() {
        return new LogRuntime(Disk.FILES, loop.clock(), loop.ticker(), new Background() {
            @Override
            public void execute(Runnable task) {
                loop.execute(task);
            }

            @Override
            public Timeout schedule(Duration delay, Runnable task) {
                return loop.schedule(delay, task);
            }
        }, new LogMetrics(new SimpleMeterRegistry()), (_, failure) -> {
            throw new AssertionError(failure);
        }, () -> Duration.ofDays(1), false);
    }
}
