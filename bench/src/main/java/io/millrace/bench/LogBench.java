package io.millrace.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.base.loop.Ticker;
import io.millrace.log.AppendResult;
import io.millrace.log.LogCheckpoint;
import io.millrace.log.LogConfig;
import io.millrace.log.LogMetrics;
import io.millrace.log.LogRuntime;
import io.millrace.log.PartitionLog;
import io.millrace.log.batch.AppendOrigin;
import io.millrace.log.disk.Background;
import io.millrace.log.disk.Disk;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/// One partition's log on a real disk: a leader's append of one batch of 1 KiB records, and a read that finds its batch
/// by the index but leaves the bytes where they are.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
@SuppressWarnings("NullAway.Init") // JMH calls open before anything else
public class LogBench {
    private static final int RECORD_BYTES = 1024;
    private static final long KEPT_BYTES = 1L << 30;

    @Param({"16", "128"})
    public int recordsPerBatch;

    private ByteBuffer batch;
    private ScheduledExecutorService executor;
    private Path directory;
    private PartitionLog log;
    private long offset;

    @Setup(Level.Iteration)
    public void open() throws IOException {
        batch = batch(recordsPerBatch);
        executor = Executors.newSingleThreadScheduledExecutor();
        directory = Files.createTempDirectory("millrace-bench");
        var runtime = new LogRuntime(Disk.FILES, Clock.systemUTC(), Ticker.SYSTEM, Background.on(executor),
                new LogMetrics(new SimpleMeterRegistry()), (_, _) -> {}, () -> Duration.ofDays(1), false);
        var config = LogConfig.of(Map.of("segment.bytes", "134217728", "retention.bytes", Long.toString(KEPT_BYTES),
                "file.delete.delay.ms", "0"));
        log = PartitionLog.open(directory.resolve("bench-0"), config, runtime, LogCheckpoint.NONE, false);
        for (int i = 0; i < 1000; i++) {
            append();
        }
    }

    @Benchmark
    public AppendResult append() throws IOException {
        batch.rewind();
        var result = log.append(batch, 0, AppendOrigin.CLIENT);
        log.updateHighWatermark(result.lastOffset() + 1);
        // A batch of a client begins at 0; the append has put its place in the log there.
        batch.putLong(0, 0);
        if (log.sizeBytes() > 2 * KEPT_BYTES) {
            log.deleteOldSegments();
        }
        return result;
    }

    @Benchmark
    public int read() throws IOException {
        offset = (offset + 7919) % log.logEndOffset();
        var found = log.read(Math.max(offset, log.logStartOffset()), 1 << 20, true, log.highWatermark());
        var slice = found.slice();
        if (slice == null) {
            return 0;
        }
        try (slice) {
            return slice.size();
        }
    }

    @TearDown(Level.Iteration)
    public void close() throws IOException {
        log.close();
        executor.shutdownNow();
        try (var files = Files.walk(directory)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private static ByteBuffer batch(int records) {
        var heap = ByteBuffer.allocate(records * (RECORD_BYTES + 32) + 256);
        var builder = MemoryRecords.builder(heap, Compression.NONE, TimestampType.CREATE_TIME, 0);
        for (int i = 0; i < records; i++) {
            builder.append(System.currentTimeMillis(), null, new byte[RECORD_BYTES]);
        }
        var bytes = builder.build().buffer();
        return ByteBuffer.allocateDirect(bytes.remaining()).put(bytes).flip();
    }
}
