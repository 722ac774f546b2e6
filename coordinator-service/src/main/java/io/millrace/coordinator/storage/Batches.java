package io.millrace.coordinator.storage;

import java.nio.ByteBuffer;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import io.millrace.coordinator.storage.ShardBatch.Origin;
import io.millrace.coordinator.storage.ShardStorage.Chunk;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.EndTransactionMarker;
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

    long nowMillis() {
        return clock.millis();
    }

    MemoryRecords of(ShardBatch batch) {
        return switch (batch.origin()) {
            case Origin.Coordinator() -> MemoryRecords.withRecords(compression, simple(batch));
            case Origin.Transaction(long producerId, short epoch) ->
                MemoryRecords.withTransactionalRecords(compression, producerId, epoch, 0, simple(batch));
            case Origin.Marker(long producerId, short epoch, boolean commit, int coordinatorEpoch) ->
                MemoryRecords.withEndTransactionMarker(0, clock.millis(), RecordBatch.NO_PARTITION_LEADER_EPOCH,
                        producerId, epoch, new EndTransactionMarker(
                                commit ? ControlRecordType.COMMIT : ControlRecordType.ABORT, coordinatorEpoch));
        };
    }

    private SimpleRecord[] simple(ShardBatch batch) {
        long now = clock.millis();
        return batch.records().stream()
                .map(record -> new SimpleRecord(now, record.key().array(),
                        record.value() == null ? null : record.value().array()))
                .toArray(SimpleRecord[]::new);
    }

    /// What a fetch from `offset` brought. Control batches that end no transaction count for their offsets alone.
    Chunk read(PartitionData answer, long offset) {
        if (!(answer.records() instanceof Records fetched)) {
            return new Chunk(offset, answer.highWatermark(), List.of());
        }
        long next = offset;
        for (var batch : fetched.batches()) {
            next = Math.max(next, batch.nextOffset());
        }
        return new Chunk(next, answer.highWatermark(),
                () -> StreamSupport.stream(fetched.batches().spliterator(), false)
                        .flatMap(batch -> stream(batch, offset)).iterator());
    }

    private static Stream<Stored> stream(RecordBatch batch, long offset) {
        var records = StreamSupport.stream(batch.spliterator(), false).filter(record -> record.offset() >= offset);
        return batch.isControlBatch()
                ? records.flatMap(record -> marker(batch, record).stream())
                : records.map(record -> stored(batch, record));
    }

    private static Optional<Stored> marker(RecordBatch batch, Record record) {
        return switch (ControlRecordType.parse(record.key())) {
            case COMMIT, ABORT -> {
                var end = EndTransactionMarker.deserialize(record);
                yield Optional.of(new StoredMarker(record.offset(), batch.producerId(),
                        end.controlType() == ControlRecordType.COMMIT, end.coordinatorEpoch()));
            }
            default -> Optional.empty();
        };
    }

    private static Stored stored(RecordBatch batch, Record record) {
        long producerId = batch.isTransactional() ? batch.producerId() : StoredRecord.NO_TRANSACTION;
        return new StoredRecord(record.offset(), copy(record.key()), copy(record.value()), producerId);
    }

    private static @Nullable ByteBuffer copy(@Nullable ByteBuffer buffer) {
        return buffer == null ? null : buffer.slice();
    }
}
