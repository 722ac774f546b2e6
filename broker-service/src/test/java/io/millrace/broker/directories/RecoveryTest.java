package io.millrace.broker.directories;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.base.loop.Ticker;
import io.millrace.log.LogDirectory;
import io.millrace.log.LogDirectory.FoundLog;
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

class RecoveryTest {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final int LOGS = 6;

    @TempDir
    private Path folder;
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final ScheduledThreadPoolExecutor background = new ScheduledThreadPoolExecutor(1);
    private final List<LogDirectory> directories = new ArrayList<>();
    private final LinkedHashMap<LogDirectory, List<FoundLog>> found = new LinkedHashMap<>();

    @BeforeEach
    void open() throws IOException {
        var runtime = new LogRuntime(Disk.FILES, Clock.systemUTC(), Ticker.SYSTEM, Background.on(background),
                new LogMetrics(meters), (_, _) -> {}, () -> Duration.ofDays(1), false);
        for (var name : List.of("slow", "fast")) {
            var directory = LogDirectory.open(folder.resolve(name), new Identity("c", 0), runtime);
            directories.add(directory);
            found.put(directory, IntStream.range(0, LOGS).mapToObj(i -> new FoundLog(new PartitionId(name, i), null))
                    .toList());
        }
    }

    @AfterEach
    void close() throws IOException {
        for (var directory : directories) {
            directory.close();
        }
        background.shutdownNow();
    }

    @Test
    void eachDirectoryHasItsOwnThreadsAndShowsWhatIsLeft() {
        var stuck = new CountDownLatch(1);
        var recovery = new Recovery(2, Executors::newFixedThreadPool, meters);
        var done = CompletableFuture.runAsync(() -> recovery.run(found, (directory, log, progress) -> {
            progress.remaining(7);
            if (directory.equals(directories.getFirst())) {
                waitFor(stuck);
            }
        }));

        await().atMost(SOON).untilAsserted(() -> {
            assertThat(logs("fast")).isZero();
            assertThat(segments("slow", 0)).isEqualTo(7);
            assertThat(segments("slow", 1)).isEqualTo(7);
        });
        assertThat(logs("slow")).isEqualTo(LOGS);
        assertThat(segments("fast", 0)).isZero();
        assertThat(done).isNotDone();

        stuck.countDown();
        assertThat(done).succeedsWithin(SOON);
        assertThat(logs("slow")).isZero();
        assertThat(segments("slow", 0) + segments("slow", 1)).isZero();
    }

    @Test
    void everyLogIsOpenedOnce() {
        var opened = new ArrayList<PartitionId>();
        new Recovery(3, _ -> Executors.newSingleThreadExecutor(), meters).run(found, (_, log, _) -> opened.add(log
                .id()));

        assertThat(opened).hasSize(2 * LOGS).doesNotHaveDuplicates();
        assertThat(logs("slow") + logs("fast")).isZero();
    }

    private static void waitFor(CountDownLatch latch) {
        try {
            assertThat(latch.await(SOON.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }

    private double logs(String directory) {
        return meters.get("kafka.log.logmanager.remaininglogstorecover").tag("dir", folder.resolve(directory)
                .toString())
                .gauge().value();
    }

    private double segments(String directory, int thread) {
        return meters.get("kafka.log.logmanager.remainingsegmentstorecover").tag("dir", folder.resolve(directory)
                .toString()).tag("threadNum", Integer.toString(thread)).gauge().value();
    }
}
