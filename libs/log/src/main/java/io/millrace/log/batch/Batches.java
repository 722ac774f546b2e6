package io.millrace.log.batch;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

import org.apache.kafka.common.protocol.Errors;

/// Finds the batches in a buffer.
public final class Batches {
    private Batches() {}

    /// The whole batches in `records`, from its position to its limit. Bytes after the last whole one are left out, as Kafka
    /// does, since a fetch may end in the middle of a batch.
    ///
    /// @throws LogRefused CORRUPT_MESSAGE for a length or magic that no batch can have
    public static List<Batch> in(ByteBuffer records) {
        var buffer = records.slice();
        var batches = new ArrayList<Batch>(1);
        int start = 0;
        while (buffer.limit() - start >= Batch.LENGTH_PREFIX_BYTES) {
            var batch = new Batch(buffer, start);
            long size = (long) Batch.LENGTH_PREFIX_BYTES + buffer.getInt(start + Long.BYTES);
            if (size < Batch.HEADER_BYTES) {
                throw new LogRefused(Errors.CORRUPT_MESSAGE, "a batch of %d bytes is less than its header".formatted(
                        size));
            }
            if (size > buffer.limit() - start) {
                break;
            }
            if (batch.magic() != Batch.MAGIC) {
                throw magicRefused(batch);
            }
            batches.add(batch);
            start += (int) size;
        }
        return batches;
    }

    /// The bytes of batches that follow each other in one buffer, as [#in] finds them; at least one.
    public static ByteBuffer bytes(List<Batch> batches) {
        var first = batches.getFirst();
        var last = batches.getLast();
        return first.buffer().slice(first.start(), last.start() + last.sizeBytes() - first.start());
    }

    private static LogRefused magicRefused(Batch batch) {
        return batch.magic() == 0 || batch.magic() == 1
                ? new LogRefused(Errors.INVALID_RECORD, "only record batches of magic 2 are taken, this is magic "
                        + batch.magic())
                : new LogRefused(Errors.CORRUPT_MESSAGE, "there is no magic " + batch.magic());
    }
}
