package io.millrace.tests.simulation;

import java.io.IOException;
import java.nio.ByteBuffer;

import io.millrace.log.PartitionLog;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.record.internal.Records;
import org.apache.kafka.common.record.internal.SimpleRecord;

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

    static void each(Records records, Visitor visitor) {
        for (RecordBatch batch : records.batches()) {
            for (var record : batch) {
                visitor.record(record.offset(), record.value().getLong(record.value().position()), batch
                        .partitionLeaderEpoch());
            }
        }
    }

    /// The records of a log from one offset up to another.
    static void each(PartitionLog log, long from, long to, Visitor visitor) {
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
                    for (var record : batch) {
                        visitor.record(record.offset(), record.value().getLong(record.value().position()), batch
                                .partitionLeaderEpoch());
                    }
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
