package io.millrace.log.compaction;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

import io.millrace.log.batch.Batch;
import io.millrace.log.batch.Batches;
import io.millrace.log.segment.Segment;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.utils.internals.BufferSupplier;

/// The second pass of a clean: what is kept of some segments is appended to a new one, with the same offsets. A batch of which
/// nothing goes is copied as it is; another one is compressed anew with its own codec.
final class Rewrite {
    private final RetentionFilter filter;
    private final BufferSupplier decompression;
    private ByteBuffer target;
    private long keptRecords;
    private long seenRecords;
    private long writtenBytes;
    private long nextDeleteHorizon = Long.MAX_VALUE;
    private boolean keptMarkers;

    Rewrite(RetentionFilter filter, int bufferBytes, BufferSupplier decompression) {
        this.filter = filter;
        this.target = ByteBuffer.allocate(bufferBytes);
        this.decompression = decompression;
    }

    long keptRecords() {
        return keptRecords;
    }

    long droppedRecords() {
        return seenRecords - keptRecords;
    }

    long writtenBytes() {
        return writtenBytes;
    }

    /// The earliest time at which tombstones or markers that were written may go; `Long.MAX_VALUE` where there are none.
    long nextDeleteHorizon() {
        return nextDeleteHorizon;
    }

    /// Whether markers were kept because there is, or was until now, data that they end.
    boolean keptMarkers() {
        return keptMarkers;
    }

    void copy(Segment from, Segment to, Pass pass) throws IOException, CleaningAborted, Uncleanable {
        pass.over(from, batches -> {
            seenRecords += batches.stream().mapToLong(Batch::count).sum();
            copy(Batches.bytes(batches), to, pass);
            return true;
        });
    }

    private void copy(ByteBuffer source, Segment to, Pass pass) throws IOException, Uncleanable {
        while (source.hasRemaining()) {
            var result = filter(source);
            // Larger than it was where a single batch was larger; then the rest of the source is still to come.
            target = result.outputBuffer();
            var output = target.duplicate().flip();
            if (output.hasRemaining()) {
                append(Batches.in(output), to, pass);
            }
            keptRecords += result.messagesRetained();
            source.position(source.position() + result.bytesRead());
        }
    }

    private MemoryRecords.FilterResult filter(ByteBuffer source) throws Uncleanable {
        try {
            return MemoryRecords.readableRecords(source.slice()).filterTo(filter, target.clear(), decompression,
                    Integer.MAX_VALUE);
        } catch (KafkaException | IllegalArgumentException unreadable) {
            throw new Uncleanable("the batches from offset %d on cannot be written anew: %s".formatted(new Batch(source
                    .slice(), 0).baseOffset(), unreadable));
        }
    }

    private void append(List<Batch> batches, Segment to, Pass pass) throws IOException {
        var bytes = Batches.bytes(batches);
        pass.wrote(bytes.remaining());
        to.append(bytes, batches);
        writtenBytes += bytes.remaining();
        for (var batch : batches) {
            long horizon = batch.deleteHorizonMs();
            if (horizon > filter.currentTime) {
                nextDeleteHorizon = Math.min(nextDeleteHorizon, horizon);
            }
            keptMarkers |= batch.isControl() && batch.count() > 0 && horizon == Batch.NO_TIMESTAMP;
        }
    }
}
