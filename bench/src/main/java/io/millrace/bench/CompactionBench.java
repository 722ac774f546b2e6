package io.millrace.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.base.loop.Ticker;
import io.millrace.log.LogCheckpoint;
import io.millrace.log.LogConfig;
import io.millrace.log.LogMetrics;
import io.millrace.log.LogRuntime;
import io.millrace.log.PartitionLog;
import io.millrace.log.batch.AppendOrigin;
import io.millrace.log.compaction.CleanerMetrics;
import io.millrace.log.compaction.CleanerSettings;
import io.millrace.log.compaction.LogCleaner;
import io.millrace.log.disk.Background;
import io.millrace.log.disk.Disk;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
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

/// Work on a log as a whole: a clean of 64 MB in which each key is there ten times, the scan of them after a crash, and the
/// look-up of times in them. One invocation is one log.
@SuppressWarnings("NullAway.Init") // JMH calls write before anything else
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3)
@Measurement(iterations = 10)
@Fork(value = 1, jvmArgsAppend = {"-Xmx512m", "--enable-native-access=ALL-UNNAMED"})
public class CompactionBench {
    private static final int RECORDS = 64 * 1024;
    private static final int RECORD_BYTES = 1024;
    private static final int RECORDS_PER_BATCH = 16;
    private static final int COPIES = 10;
    private static final int LOOKUPS = 1000;

    @Param({"none", "lz4"})
    private String codec = "none";

    private final ScheduledExecutorService executor = Executors.newScheduledThreadPool(1);
    private final Random random = new Random(1);
    private Path directory = Path.of("");
    private LogConfig config = LogConfig.DEFAULTS;
    private PartitionLog log;

    @Setup(Level.Invocation)
    public void write() throws IOException {
        directory = Files.createTempDirectory("compaction-bench");
        config = LogConfig.of(Map.of("cleanup.policy", "compact", "segment.bytes", "16777216", "file.delete.delay.ms",
                "3600000"));
        log = open();
        var compression = codec.equals("lz4") ? Compression.lz4().build() : Compression.NONE;
        for (int i = 0; i < RECORDS; i += RECORDS_PER_BATCH) {
            log.append(batch(compression, i), 0, AppendOrigin.CLIENT);
        }
        log.updateHighWatermark(log.logEndOffset());
        log.roll();
    }

    private ByteBuffer batch(Compression compression, int first) {
        var records = new SimpleRecord[RECORDS_PER_BATCH];
        for (int i = 0; i < RECORDS_PER_BATCH; i++) {
            var value = new byte[RECORD_BYTES];
            random.nextBytes(value);
            records[i] = new SimpleRecord(first + i, ByteBuffer.allocate(Integer.BYTES).putInt(0, random.nextInt(RECORDS
                    / COPIES)).array(), value);
        }
        var source = MemoryRecords.withRecords(compression, records).buffer();
        return ByteBuffer.allocateDirect(source.remaining()).put(source).flip();
    }

    private PartitionLog open() throws IOException {
        return PartitionLog.open(directory.resolve("t-0"), config, new LogRuntime(Disk.FILES, Clock.systemUTC(),
                Ticker.SYSTEM, Background.on(executor), new LogMetrics(new SimpleMeterRegistry()), (_, _) -> {},
                () -> Duration
                        .ofDays(1), false), LogCheckpoint.NONE, false);
    }

    /// Reads every batch, computes its CRC, and makes both indexes anew.
    @Benchmark
    public long recover() throws IOException {
        var recovered = open();
        long end = recovered.logEndOffset();
        recovered.close();
        return end;
    }

    @Benchmark
    public boolean clean() {
        return new LogCleaner(CleanerSettings.DEFAULTS, () -> List.of(log.compaction()), Clock.systemUTC(),
                Ticker.SYSTEM, _ -> {}, new CleanerMetrics(new SimpleMeterRegistry(), Ticker.SYSTEM)).cleanNext();
    }

    /// A thousand times, each by the time index, the offset index, and a look into one batch.
    @Benchmark
    public long lookUpTimes() throws IOException {
        long sum = 0;
        for (int i = 0; i < LOOKUPS; i++) {
            sum += log.offsetForTimestamp(random.nextInt(RECORDS)).orElseThrow().offset();
        }
        return sum;
    }

    @TearDown(Level.Invocation)
    public void remove() throws IOException {
        log.close();
        Disk.FILES.delete(directory);
    }

    @TearDown(Level.Trial)
    public void stop() {
        executor.shutdownNow();
    }
}
