package io.millrace.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.log.batch.AppendOrigin;
import io.millrace.log.batch.Batch;
import io.millrace.log.batch.TestBatch;
import io.millrace.log.compaction.CleanerMetrics;
import io.millrace.log.compaction.CleanerSettings;
import io.millrace.log.compaction.LogCleaner;
import io.millrace.log.compaction.Pause;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.EndTransactionMarker;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.jspecify.annotations.Nullable;

/// A compacted log on real files and virtual time, and its cleaner.
public final class CompactedLog {
    static final long DELETE_RETENTION_MS = 5000;

    final LogFixture fixture;
    final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    Compression codec = Compression.NONE;
    CleanerSettings settings = new CleanerSettings(1 << 20, 0.9, 4096, Double.MAX_VALUE, 1, Duration.ofSeconds(1));
    Pause pause = _ -> {};

    /// A record as a reader sees it.
    record Seen(long offset, String key, @Nullable String value) {}

    public CompactedLog(Path root) {
        this.fixture = new LogFixture(root).set("cleanup.policy", "compact").set("min.cleanable.dirty.ratio", 0.01).set(
                "delete.retention.ms", DELETE_RETENTION_MS);
    }

    /// Where its files are.
    public Path directory() {
        return fixture.directory;
    }

    /// In what the next batches are compressed.
    public CompactedLog codec(Compression next) {
        codec = next;
        return this;
    }

    public PartitionLog log() {
        return fixture.log;
    }

    public CompactedLog open() throws IOException {
        fixture.open();
        return this;
    }

    /// Appends one batch of records in the form `key=value`, `key=` for a tombstone; returns its base offset.
    public long put(String... records) throws IOException {
        return append(batch(RecordBatch.NO_PRODUCER_ID, 0, -1, false, records), AppendOrigin.CLIENT);
    }

    public long put(long producerId, int epoch, int sequence, String... records) throws IOException {
        return append(batch(producerId, epoch, sequence, false, records), AppendOrigin.CLIENT);
    }

    public long putInTransaction(long producerId, int sequence, String... records) throws IOException {
        return append(batch(producerId, 0, sequence, true, records), AppendOrigin.CLIENT);
    }

    public long end(long producerId, ControlRecordType type) throws IOException {
        return append(MemoryRecords.withEndTransactionMarker(fixture.loop.clock().millis(), producerId, (short) 0,
                new EndTransactionMarker(type, 0)).buffer(), AppendOrigin.COORDINATOR);
    }

    private long append(ByteBuffer bytes, AppendOrigin origin) throws IOException {
        long base = log().append(TestBatch.direct(bytes), 0, origin).baseOffset();
        log().updateHighWatermark(log().logEndOffset());
        return base;
    }

    ByteBuffer batch(long producerId, int epoch, int sequence, boolean transactional, String... records) {
        var all = new SimpleRecord[records.length];
        for (int i = 0; i < records.length; i++) {
            int equals = records[i].indexOf('=');
            var value = records[i].substring(equals + 1);
            all[i] = new SimpleRecord(fixture.loop.clock().millis(), records[i].substring(0, equals).getBytes(
                    StandardCharsets.UTF_8), value.isEmpty() ? null : value.getBytes(StandardCharsets.UTF_8));
        }
        return MemoryRecords.withRecords(RecordBatch.CURRENT_MAGIC_VALUE, 0L, codec, TimestampType.CREATE_TIME,
                producerId, (short) (producerId < 0 ? -1 : epoch), sequence, -1, transactional, all).buffer();
    }

    LogCleaner cleaner() {
        return new LogCleaner(settings, () -> List.of(log().compaction()), fixture.loop.clock(), fixture.loop
                .ticker(), pause, new CleanerMetrics(meters, fixture.loop.ticker()));
    }

    /// Closes the active segment and cleans what can be cleaned.
    public boolean clean() throws IOException {
        log().roll();
        return cleaner().cleanNext();
    }

    public void pass(long millis) {
        fixture.loop.advance(Duration.ofMillis(millis));
    }

    /// All batches, empty ones too.
    List<Batch> batches() throws IOException {
        var found = new ArrayList<Batch>();
        long next = log().logStartOffset();
        for (var read = fixture.read(next, 100_000); !read.isEmpty(); read = fixture.read(next, 100_000)) {
            found.addAll(read);
            next = read.getLast().lastOffset() + 1;
        }
        return found;
    }

    /// All records but those of markers.
    List<Seen> records() throws IOException {
        var found = new ArrayList<Seen>();
        for (var batch : batches()) {
            for (var record : MemoryRecords.readableRecords(batch.bytes()).records()) {
                if (!batch.isControl()) {
                    found.add(new Seen(record.offset(), text(record.key()), record.hasValue()
                            ? text(record.value())
                            : null));
                }
            }
        }
        return found;
    }

    private static String text(ByteBuffer bytes) {
        return StandardCharsets.UTF_8.decode(bytes.duplicate()).toString();
    }

    /// What a reader of all of it ends up with.
    Map<String, String> table() throws IOException {
        var table = new LinkedHashMap<String, String>();
        for (var seen : records()) {
            if (seen.value() == null) {
                table.remove(seen.key());
            } else {
                table.put(seen.key(), seen.value());
            }
        }
        return table;
    }

    /// Base offsets of markers that say something.
    List<Long> markers() throws IOException {
        return batches().stream().filter(batch -> batch.isControl() && batch.count() > 0).map(Batch::baseOffset)
                .toList();
    }
}
