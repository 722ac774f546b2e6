package io.millrace.coordinator.storage;

import java.nio.ByteBuffer;
import java.time.Clock;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import io.millrace.coordinator.record.EncodedRecord;
import io.millrace.coordinator.storage.ShardStorage.Chunk;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.record.internal.Records;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.jspecify.annotations.Nullable;

/// Record batches of a shard, made and read.
public final class Batches {
    private final Compression compression;
    private final Clock clock;

    /// @param compression `offsets.topic.compression.codec`
    /// @param clock for the records' timestamps
    public Batches(Compression compression, Clock clock) {
        this.compression = compression;
        this.clock = clock;
    }

    MemoryRecords of(List<EncodedRecord> records) {
        long now = clock.millis();
        var simple = records.stream()
                .map(record -> new SimpleRecord(now, record.key().array(),
                        record.value() == null ? null : record.value().array()))
                .toArray(SimpleRecord[]::new);
        return MemoryRecords.withRecords(compression, simple);
    }

    /// What a fetch from `offset` brought. Batches of the control kind count for their offsets alone.
    Chunk read(PartitionData answer, long offset) {
        if (!(answer.records() instanceof Records fetched)) {
            return new Chunk(offset, List.of());
        }
        long next = offset;
        for (var batch : fetched.batches()) {
            next = Math.max(next, batch.nextOffset());
        }
        return new Chunk(next,
                () -> StreamSupport.stream(fetched.batches().spliterator(), false)
                        .filter(batch -> !batch.isControlBatch()).flatMap(Batches::stream)
                        .filter(record -> record.offset() >= offset).map(Batches::stored).iterator());
    }

    private static Stream<Record> stream(RecordBatch batch) {
        return StreamSupport.stream(batch.spliterator(), false);
    }

    private static StoredRecord stored(Record record) {
        return new StoredRecord(record.offset(), copy(record.key()), copy(record.value()));
    }

    private static @Nullable ByteBuffer copy(@Nullable ByteBuffer buffer) {
        return buffer == null ? null : buffer.slice();
    }
}
