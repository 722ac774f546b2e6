package io.millrace.broker.directories;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.base.loop.Timeout;
import io.millrace.base.simulation.SimulatedLoop;
import io.millrace.broker.directories.LogDirectories.Placement;
import io.millrace.log.LogConfig;
import io.millrace.log.LogDirectory.Identity;
import io.millrace.log.LogMetrics;
import io.millrace.log.LogRuntime;
import io.millrace.log.PartitionId;
import io.millrace.log.disk.Background;
import io.millrace.log.disk.Disk;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Where logs are made that somebody asked for in a certain directory.
class LogPlacementTest {
    private static final UUID ID = new UUID(1, 2);
    private static final LogConfig CONFIG = LogConfig.of(Map.of());

    @TempDir
    private Path folder;
    private final SimulatedLoop loop = new SimulatedLoop();
    private final DirectoryFailures failures = new DirectoryFailures(Runnable::run);
    private LogDirectories directories;

    @BeforeEach
    void open() {
        directories = LogDirectories.open(List.of(path("a"), path("b")), new Identity("c", 0), runtime(), failures);
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
            directories.openLog(id, ID, CONFIG);
            assertThat(directories.place(id, folder.resolve("x/../b"))).isEqualTo(Placement.THERE);
        }

        assertThat(directories.logsIn(directories.directories().getLast())).hasSize(4);
        assertThat(directories.place(new PartitionId("t", 0), path("a"))).isEqualTo(Placement.ELSEWHERE);
    }

    @Test
    void wishHoldsForOneLogAndOnlyOnce() throws IOException {
        var id = new PartitionId("t", 0);
        directories.place(id, path("b"));
        directories.openLog(id, ID, CONFIG);
        directories.deleteLog(id);

        // The emptiest, which is the first of two that are empty.
        directories.openLog(id, ID, CONFIG);

        assertThat(directories.place(id, path("a"))).isEqualTo(Placement.THERE);
    }

    @Test
    void directoryThatIsNoneOrFailedIsRefusedAndAWishForItForgotten() throws IOException {
        var id = new PartitionId("t", 0);
        directories.place(id, path("b"));
        failures.failed(path("b").resolve("t-0"), new IOException("gone"));

        assertThat(directories.place(new PartitionId("t", 1), path("c"))).isEqualTo(Placement.UNKNOWN);
        assertThat(directories.place(new PartitionId("t", 1), path("b"))).isEqualTo(Placement.UNUSABLE);
        directories.openLog(id, ID, CONFIG);
        assertThat(directories.place(id, path("a"))).isEqualTo(Placement.THERE);
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
