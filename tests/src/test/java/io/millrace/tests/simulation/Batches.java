package io.millrace.tests.simulation;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

import io.millrace.log.PartitionLog;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.record.internal.Records;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.jspecify.annotations.Nullable;

/// Records of the simulation: each is a number of eight bytes, alone in its batch.
final class Batches {
    private static final int MOST_BYTES = 1 << 20;

    private Batches() {}

    /// Takes one record.
    interface Visitor {
        void record(long offset, long value, int leaderEpoch);
    }

    /// @param sequence -1 for a producer that is not idempotent
    static MemoryRecords of(long value, long time, long producerId, short producerEpoch, int sequence) {
        var record = new SimpleRecord(time, null, ByteBuffer.allocate(Long.BYTES).putLong(value).array());
        return sequence < 0
                ? MemoryRecords.withRecords(Compression.NONE, record)
                : MemoryRecords.withIdempotentRecords(Compression.NONE, producerId, producerEpoch, sequence, record);
    }

    /// What is not the simulation's own, such as markers and records of shards, has numbers below zero that stand for its
    /// content.
    private static long value(RecordBatch batch, Record record) {
        return !batch.isControlBatch() && record.valueSize() == Long.BYTES && !record.hasKey()
                ? record.value().getLong(record.value().position())
                : Long.MIN_VALUE | (31L * hash(record.key()) + hash(record.value()) + batch.producerId());
    }

    private static int hash(@Nullable ByteBuffer bytes) {
        return bytes == null ? 0 : bytes.hashCode();
    }

    /// One record of a transaction.
    static MemoryRecords inTransaction(long value, long time, long producerId, short producerEpoch, int sequence) {
        var record = new SimpleRecord(time, null, ByteBuffer.allocate(Long.BYTES).putLong(value).array());
        return MemoryRecords.withTransactionalRecords(Compression.NONE, producerId, producerEpoch, sequence, record);
    }

    /// The one record of a transaction as the next one of its producer.
    static MemoryRecords followedByItself(MemoryRecords records) {
        var batch = records.batches().iterator().next();
        var record = batch.iterator().next();
        return inTransaction(value(batch, record), record.timestamp(), batch.producerId(), batch.producerEpoch(), batch
                .baseSequence() + 1);
    }

    static void each(Records records, Visitor visitor) {
        for (RecordBatch batch : records.batches()) {
            for (var record : batch) {
                visitor.record(record.offset(), value(batch, record), batch
                        .partitionLeaderEpoch());
            }
        }
    }

    /// The records of a log from one offset up to another.
    static void each(PartitionLog log, long from, long to, Visitor visitor) {
        eachBatch(log, from, to, batch -> {
            for (var record : batch) {
                visitor.record(record.offset(), value(batch, record), batch.partitionLeaderEpoch());
            }
        });
    }

    /// The batches of a log from one offset up to another.
    static void eachBatch(PartitionLog log, long from, long to, Consumer<RecordBatch> visitor) {
        long next = Math.max(from, log.logStartOffset());
        while (next < to) {
            long before = next;
            try (var slice = log.read(next, MOST_BYTES, true, to).slice()) {
                if (slice == null) {
                    throw new Violation("log=%s has nothing at offset=%d, below %d", log.directory(), next, to);
                }
                var bytes = ByteBuffer.allocate(slice.size());
                slice.channel().read(bytes, slice.position());
                for (RecordBatch batch : MemoryRecords.readableRecords(bytes.flip()).batches()) {
                    if (batch.lastOffset() < before || batch.baseOffset() >= to) {
                        continue;
                    }
                    if (batch.baseOffset() != next) {
                        throw new Violation("log=%s has offset=%d where %d should be", log.directory(), batch
                                .baseOffset(), next);
                    }
                    visitor.accept(batch);
                    next = batch.nextOffset();
                }
            } catch (IOException failure) {
                throw new Violation("log=%s cannot be read: %s", log.directory(), failure);
            }
            if (next == before) {
                throw new Violation("log=%s does not go on at offset=%d", log.directory(), next);
            }
        }
    }
}
