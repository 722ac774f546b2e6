package io.millrace.log.batch;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.EndTransactionMarker;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.jspecify.annotations.Nullable;

/// Batches as Kafka's own producer makes them. What a test does not say has a default.
///
/// @param times of the records, one each
public record TestBatch(long baseOffset, List<Long> times, @Nullable String key, String value, Compression codec,
        long producerId, short epoch, int sequence, boolean transactional, int leaderEpoch) {

    /// One record at time 1000.
    public static TestBatch batch() {
        return new TestBatch(0, List.of(1000L), "key", "value", Compression.NONE, -1, (short) -1, -1, false, -1);
    }

    public TestBatch at(long newBaseOffset) {
        return new TestBatch(newBaseOffset, times, key, value, codec, producerId, epoch, sequence, transactional,
                leaderEpoch);
    }

    public TestBatch times(Long... newTimes) {
        return new TestBatch(baseOffset, List.of(newTimes), key, value, codec, producerId, epoch, sequence,
                transactional, leaderEpoch);
    }

    public TestBatch records(int count) {
        var same = new ArrayList<Long>();
        for (int i = 0; i < count; i++) {
            same.add(times.getFirst());
        }
        return new TestBatch(baseOffset, same, key, value, codec, producerId, epoch, sequence, transactional,
                leaderEpoch);
    }

    public TestBatch key(@Nullable String newKey) {
        return new TestBatch(baseOffset, times, newKey, value, codec, producerId, epoch, sequence, transactional,
                leaderEpoch);
    }

    public TestBatch valueOf(int bytes) {
        return new TestBatch(baseOffset, times, key, "v".repeat(bytes), codec, producerId, epoch, sequence,
                transactional, leaderEpoch);
    }

    public TestBatch codec(Compression newCodec) {
        return new TestBatch(baseOffset, times, key, value, newCodec, producerId, epoch, sequence, transactional,
                leaderEpoch);
    }

    public TestBatch producer(long id, int newEpoch, int newSequence) {
        return new TestBatch(baseOffset, times, key, value, codec, id, (short) newEpoch, newSequence, transactional,
                leaderEpoch);
    }

    public TestBatch inTransaction() {
        return new TestBatch(baseOffset, times, key, value, codec, producerId, epoch, sequence, true, leaderEpoch);
    }

    public TestBatch epoch(int newLeaderEpoch) {
        return new TestBatch(baseOffset, times, key, value, codec, producerId, epoch, sequence, transactional,
                newLeaderEpoch);
    }

    /// The end of a transaction, as coordinators have it written.
    public static ByteBuffer marker(long producerId, int epoch, boolean committed, int coordinatorEpoch) {
        return direct(MemoryRecords.withEndTransactionMarker(1000, producerId, (short) epoch, new EndTransactionMarker(
                committed ? ControlRecordType.COMMIT : ControlRecordType.ABORT, coordinatorEpoch)).buffer());
    }

    /// Its bytes, in a direct buffer as they come from a socket.
    public ByteBuffer bytes() {
        try (var builder = MemoryRecords.builder(ByteBuffer.allocate(512), RecordBatch.MAGIC_VALUE_V2, codec,
                TimestampType.CREATE_TIME, baseOffset, RecordBatch.NO_TIMESTAMP, producerId, epoch, sequence,
                transactional, leaderEpoch)) {
            for (int i = 0; i < times.size(); i++) {
                builder.append(new SimpleRecord(times.get(i), key == null
                        ? null
                        : key.getBytes(
                                StandardCharsets.UTF_8), (value + i).getBytes(StandardCharsets.UTF_8)));
            }
            return direct(builder.build().buffer());
        }
    }

    public Batch view() {
        return new Batch(bytes(), 0);
    }

    public static ByteBuffer direct(ByteBuffer... parts) {
        int size = 0;
        for (var part : parts) {
            size += part.remaining();
        }
        var direct = ByteBuffer.allocateDirect(size);
        for (var part : parts) {
            direct.put(part.duplicate());
        }
        return direct.flip();
    }
}
