package io.millrace.log.batch;

import java.nio.ByteBuffer;
import java.util.List;

import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.utils.internals.BufferSupplier;

/// Writes a batch anew in the codec that `compression.type` of a topic asks for.
public final class Recompression {
    private static final int MIN_BUFFER_BYTES = 1024;

    private Recompression() {}

    /// The same records in `codec`, with the same producers, sequences and times. Batches that are in it already stay what
    /// they are.
    ///
    /// @param batches were checked
    /// @return batches that follow each other in one buffer
    /// @throws LogRefused INVALID_RECORD where one cannot be decompressed, MESSAGE_TOO_LARGE where it has become so
    public static List<Batch> run(List<Batch> batches, Codec codec, int maxMessageBytes) {
        if (batches.stream().noneMatch(batch -> isNeeded(batch, codec))) {
            return batches;
        }
        var rewritten = batches.stream().map(batch -> isNeeded(batch, codec) ? rewrite(batch, codec) : batch.bytes())
                .toList();
        var all = ByteBuffer.allocate(rewritten.stream().mapToInt(ByteBuffer::remaining).sum());
        for (var bytes : rewritten) {
            if (bytes.remaining() > maxMessageBytes) {
                throw new LogRefused(Errors.MESSAGE_TOO_LARGE,
                        "a batch of %d bytes, once compressed anew, is larger than max.message.bytes %d".formatted(bytes
                                .remaining(), maxMessageBytes));
            }
            all.put(bytes);
        }
        return Batches.in(all.flip());
    }

    /// Whether a batch is in another codec.
    public static boolean isNeeded(Batch batch, Codec codec) {
        return batch.codecId() != codec.type().id && !batch.isControl();
    }

    private static ByteBuffer rewrite(Batch batch, Codec codec) {
        var source = MemoryRecords.readableRecords(batch.bytes()).batches().iterator().next();
        var type = batch.isLogAppendTime() ? TimestampType.LOG_APPEND_TIME : TimestampType.CREATE_TIME;
        try (var builder = MemoryRecords.builder(ByteBuffer.allocate(Math.max(MIN_BUFFER_BYTES, batch.sizeBytes())),
                RecordBatch.CURRENT_MAGIC_VALUE, compression(codec), type, batch.baseOffset(), batch.maxTimestamp(),
                batch.producerId(), batch.producerEpoch(), batch.baseSequence(), batch.isTransactional(), batch
                        .leaderEpoch());
                var supplier = BufferSupplier.create();
                var records = source.streamingIterator(supplier)) {
            while (records.hasNext()) {
                builder.append(records.next());
            }
            return builder.build().buffer();
        } catch (KafkaException | IllegalArgumentException unreadable) {
            throw new LogRefused(Errors.INVALID_RECORD, "the batch cannot be decompressed: " + unreadable);
        }
    }

    private static Compression compression(Codec codec) {
        return switch (codec.type()) {
            case NONE -> Compression.NONE;
            case SNAPPY -> Compression.snappy().build();
            case GZIP -> Compression.gzip().level(codec.level()).build();
            case LZ4 -> Compression.lz4().level(codec.level()).build();
            case ZSTD -> Compression.zstd().level(codec.level()).build();
        };
    }
}
