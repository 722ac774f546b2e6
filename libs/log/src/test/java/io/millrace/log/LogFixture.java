package io.millrace.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.base.loop.Timeout;
import io.millrace.base.simulation.SimulatedLoop;
import io.millrace.log.batch.AppendOrigin;
import io.millrace.log.batch.Batch;
import io.millrace.log.batch.Batches;
import io.millrace.log.batch.TestBatch;
import io.millrace.log.disk.Background;
import io.millrace.log.disk.CappedDisk;
import io.millrace.log.disk.Disk;

/// A log on real files and virtual time.
final class LogFixture {
    final SimulatedLoop loop = new SimulatedLoop();
    final Path directory;
    final List<IOException> failures = new ArrayList<>();
    /// What was told of segments that are still to be scanned.
    final List<Integer> recovery = new ArrayList<>();
    final Map<String, String> settings = new HashMap<>(Map.of("segment.bytes", "2000", "index.interval.bytes", "200",
            "segment.index.bytes", "960", "file.delete.delay.ms", "1000"));
    /// With one file open at a time, so that all of them come and go, and a few mapped, so that some are not.
    Disk disk = new CappedDisk(Disk.FILES, 1, 3);
    boolean groupCommit;
    PartitionLog log;

    @SuppressWarnings("NullAway") // the log is there once a test has opened it
    LogFixture(Path root) {
        this.directory = root.resolve("t-0");
    }

    LogFixture set(String name, Object value) {
        settings.put(name, value.toString());
        return this;
    }

    LogFixture open() throws IOException {
        return open(LogCheckpoint.NONE, false);
    }

    LogFixture open(LogCheckpoint checkpoint, boolean clean) throws IOException {
        log = PartitionLog.open(directory, LogConfig.of(settings), runtime(), checkpoint, clean);
        return this;
    }

    /// As after kill -9: nothing is closed, nothing marked clean.
    LogFixture crash() throws IOException {
        return reopen(false);
    }

    LogFixture restart() throws IOException {
        log.close();
        return reopen(true);
    }

    private LogFixture reopen(boolean clean) throws IOException {
        log = PartitionLog.open(directory, LogConfig.of(settings), runtime(), new LogStart(log.checkpoint(), clean,
                log.compactionProgress(), recovery::add), DirectoryFiles.NONE);
        return this;
    }

    LogRuntime runtime() {
        return new LogRuntime(disk, loop.clock(), loop.ticker(), new Background() {
            @Override
            public void execute(Runnable task) {
                loop.execute(task);
            }

            @Override
            public Timeout schedule(Duration delay, Runnable task) {
                return loop.schedule(delay, task);
            }
        }, new LogMetrics(new SimpleMeterRegistry()), (_, failure) -> failures.add(failure), () -> Duration.ofDays(1),
                groupCommit);
    }

    AppendResult append(TestBatch batch) throws IOException {
        var result = log.append(batch.bytes(), 0, AppendOrigin.CLIENT);
        log.updateHighWatermark(log.logEndOffset());
        return result;
    }

    /// The batches of one read.
    List<Batch> read(long offset, int maxBytes) throws IOException {
        return read(offset, maxBytes, true, Long.MAX_VALUE);
    }

    List<Batch> read(long offset, int maxBytes, boolean atLeastOne, long bound) throws IOException {
        var slice = log.read(offset, maxBytes, atLeastOne, bound).slice();
        if (slice == null) {
            return List.of();
        }
        try (slice) {
            var bytes = ByteBuffer.allocate(slice.size());
            while (bytes.hasRemaining() && slice.channel().read(bytes, slice.position() + bytes.position()) >= 0) {
                // as far as it goes
            }
            return Batches.in(bytes.flip());
        }
    }

    /// Base offsets of all batches from the log start on.
    List<Long> baseOffsets() throws IOException {
        var found = new ArrayList<Long>();
        long next = log.logStartOffset();
        while (true) {
            var batches = read(next, 700);
            if (batches.isEmpty()) {
                return found;
            }
            for (var batch : batches) {
                found.add(batch.baseOffset());
                next = batch.lastOffset() + 1;
            }
        }
    }

    List<String> files() throws IOException {
        return Disk.FILES.list(directory);
    }

    Path file(long offset, String suffix) {
        return directory.resolve("%020d%s".formatted(offset, suffix));
    }
}
