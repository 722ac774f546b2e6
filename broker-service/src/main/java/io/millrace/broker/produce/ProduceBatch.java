package io.millrace.broker.produce;

import java.nio.ByteBuffer;

import io.millrace.broker.partition.AckWait;
import io.millrace.broker.partition.LeaderSide;
import io.millrace.broker.partition.Writer;
import io.millrace.log.AppendResult;
import io.millrace.log.CheckedBatches;
import io.millrace.log.batch.Batch;
import org.jspecify.annotations.Nullable;

/// A batch that is to be appended.
///
/// @param bytes from position to limit
/// @param checked where its log has checked it already; null where that is still to be done
record ProduceBatch(ByteBuffer bytes, @Nullable CheckedBatches checked) {

    static ProduceBatch sent(ByteBuffer bytes) {
        return new ProduceBatch(bytes, null);
    }

    static ProduceBatch of(CheckedBatches checked) {
        return new ProduceBatch(checked.bytes(), checked);
    }

    Batch header() {
        return new Batch(bytes, bytes.position());
    }

    int sizeBytes() {
        return bytes.remaining();
    }

    /// The same, to be kept when the request that it came with is gone.
    ProduceBatch kept() {
        return checked != null ? this : sent(copy(bytes));
    }

    static ByteBuffer copy(ByteBuffer bytes) {
        return ByteBuffer.allocate(bytes.remaining()).put(bytes.duplicate()).flip();
    }

    AppendResult appendTo(LeaderSide leader, @Nullable AckWait wait, Writer writer) {
        return checked != null ? leader.append(checked, wait, writer) : leader.append(bytes, wait, writer);
    }
}
