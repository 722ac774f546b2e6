package io.millrace.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.TimeUnit;

import io.millrace.log.batch.Batch;
import io.millrace.log.batch.Batches;
import io.millrace.log.disk.Disk;
import io.millrace.log.index.OffsetIndex;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/// What each fetch and each append pays once: a look into the offset index of a segment of 1 GiB, with an entry for each
/// 4 KiB, and the checksum of a batch of 16 KiB in direct memory.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@SuppressWarnings("NullAway.Init") // JMH calls open before anything else
public class LookupBench {
    private static final int ENTRIES = 262_144;
    private static final int INDEX_BYTES = 10 << 20;
    private static final int BYTES_AN_ENTRY = 4_096;
    private static final int BATCH_BYTES = 16_384;

    private final Random random = new Random(1);
    private Path folder;
    private OffsetIndex index;
    private Batch batch;

    @Setup
    public void open() throws IOException {
        folder = Files.createTempDirectory("millrace-bench");
        index = new OffsetIndex(Disk.FILES, folder.resolve("00000000000000000000.index"), 0, INDEX_BYTES);
        for (int i = 1; i <= ENTRIES; i++) {
            index.append(4L * i, BYTES_AN_ENTRY * i);
        }
        var heap = ByteBuffer.allocate(2 * BATCH_BYTES);
        var builder = MemoryRecords.builder(heap, Compression.NONE, TimestampType.CREATE_TIME, 0);
        builder.append(1L, null, new byte[BATCH_BYTES]);
        var bytes = builder.build().buffer();
        batch = Batches.in(ByteBuffer.allocateDirect(bytes.remaining()).put(bytes).flip()).getFirst();
    }

    @Benchmark
    public int lookUpOffset() {
        return index.positionBefore(random.nextInt(4 * ENTRIES));
    }

    @Benchmark
    public boolean checkCrc() {
        return batch.hasValidCrc();
    }

    @TearDown
    public void close() throws IOException {
        index.unmap();
        Disk.FILES.delete(folder);
    }
}
