package io.millrace.log;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.base.loop.Ticker;
import io.millrace.log.LogDirectory.Identity;
import io.millrace.log.batch.AppendOrigin;
import io.millrace.log.batch.TestBatch;
import io.millrace.log.compaction.CleanerMetrics;
import io.millrace.log.compaction.CleanerSettings;
import io.millrace.log.compaction.LogCleaner;
import io.millrace.log.disk.Background;
import io.millrace.log.disk.CappedDisk;
import io.millrace.log.disk.Disk;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.record.internal.SimpleRecord;

/// A process that writes to the logs of a directory until it is killed: one that keeps everything, and a compacted one that
/// is cleaned meanwhile. It says on its output what it would have acknowledged: log, first offset, and number of the batch.
final class LogUnderLoad {
    static final List<PartitionId> LOGS = List.of(new PartitionId("kept", 0), new PartitionId("compacted", 0));
    static final int RECORDS = 3;
    static final int KEYS = 40;

    private LogUnderLoad() {}

    /// The key of a record of a batch.
    static String key(long number, int index) {
        return "key-" + (number * RECORDS + index) % KEYS;
    }

    static LogConfig config(PartitionId id) {
        return LogConfig.of(Map.of("segment.bytes", "6000", "index.interval.bytes", "300", "segment.index.bytes",
                "2400",
                "min.cleanable.dirty.ratio", "0.1", "file.delete.delay.ms", "5", "cleanup.policy", id.topic().equals(
                        "kept") ? "delete" : "compact"));
    }

    static LogRuntime runtime(Background background) {
        return new LogRuntime(new CappedDisk(Disk.FILES, 2, 3), Clock.systemUTC(), Ticker.SYSTEM, background,
                new LogMetrics(
                        new SimpleMeterRegistry()), (directory, failure) -> {
                            throw new IllegalStateException("the disk failed under " + directory, failure);
                        }, () -> Duration.ofDays(1), false);
    }

    /// @param arguments directory, seed, number of the first batch
    public static void main(String... arguments) throws IOException {
        var random = new Random(Long.parseLong(arguments[1]));
        var threads = Executors.newScheduledThreadPool(3);
        var directory = LogDirectory.open(Path.of(arguments[0]), new Identity("c", 1), runtime(Background.on(threads)));
        var logs = LOGS.stream().map(id -> open(directory, id)).toList();
        directory.writeCheckpoints();
        threads.scheduleWithFixedDelay(() -> checkpoint(directory), 20, 20, TimeUnit.MILLISECONDS);
        var cleaner = new LogCleaner(CleanerSettings.DEFAULTS, () -> List.of(logs.get(1).compaction()), Clock
                .systemUTC(),
                Ticker.SYSTEM, _ -> {}, new CleanerMetrics(new SimpleMeterRegistry(), Ticker.SYSTEM));
        threads.scheduleWithFixedDelay(cleaner::run, 10, 10, TimeUnit.MILLISECONDS);
        var out = new PrintStream(new BufferedOutputStream(new FileOutputStream(FileDescriptor.out)), false,
                StandardCharsets.US_ASCII);
        for (long number = Long.parseLong(arguments[2]);; number++) {
            int to = random.nextInt(logs.size());
            var log = logs.get(to);
            var result = log.append(batch(number, random), 0, AppendOrigin.CLIENT);
            log.updateHighWatermark(log.logEndOffset());
            out.println(to + " " + result.baseOffset() + " " + number);
            out.flush();
        }
    }

    private static PartitionLog open(LogDirectory directory, PartitionId id) {
        try {
            return directory.openLog(id, new UUID(1, id.topic().length()), config(id));
        } catch (IOException failure) {
            throw new IllegalStateException(failure);
        }
    }

    private static void checkpoint(LogDirectory directory) {
        try {
            directory.logs().getFirst().flush();
            directory.writeCheckpoints();
        } catch (IOException failure) {
            throw new IllegalStateException(failure);
        }
    }

    private static ByteBuffer batch(long number, Random random) {
        var records = new SimpleRecord[RECORDS];
        for (int i = 0; i < RECORDS; i++) {
            records[i] = new SimpleRecord(System.currentTimeMillis(), key(number, i).getBytes(
                    StandardCharsets.US_ASCII), (number + ":" + "v".repeat(random.nextInt(60))).getBytes(
                            StandardCharsets.US_ASCII));
        }
        var codec = random.nextBoolean() ? Compression.NONE : Compression.lz4().build();
        return TestBatch.direct(MemoryRecords.withRecords(RecordBatch.CURRENT_MAGIC_VALUE, 0L, codec,
                TimestampType.CREATE_TIME, -1, (short) -1, -1, -1, false, records).buffer());
    }
}
