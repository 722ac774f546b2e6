package io.millrace.log.compaction;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.BooleanSupplier;

import io.millrace.log.batch.Batch;
import io.millrace.log.batch.Batches;
import io.millrace.log.batch.LogRefused;
import io.millrace.log.segment.Segment;

/// Reads segments from one end to the other, a bufferful of whole batches at a time. On one thread.
final class Pass {
    private final Throttle throttle;
    private final BooleanSupplier goesOn;
    private ByteBuffer buffer;
    private long readBytes;

    /// Gets whole batches, checked, in order; they are gone once it returns.
    @FunctionalInterface
    interface Sink {
        /// @return whether to go on
        boolean take(List<Batch> batches) throws IOException, CleaningAborted, Uncleanable;
    }

    /// @param goesOn false once the clean makes no sense any more
    Pass(int bufferBytes, Throttle throttle, BooleanSupplier goesOn) {
        this.buffer = ByteBuffer.allocate(bufferBytes);
        this.throttle = throttle;
        this.goesOn = goesOn;
    }

    /// Counts bytes that were written because of what was read.
    void wrote(int bytes) {
        throttle.take(bytes, goesOn);
    }

    long readBytes() {
        return readBytes;
    }

    /// @return whether the sink wants more
    boolean over(Segment segment, Sink sink) throws IOException, CleaningAborted, Uncleanable {
        int end = segment.sizeBytes();
        int position = 0;
        while (position < end) {
            if (!goesOn.getAsBoolean()) {
                throw new CleaningAborted("the log changed, or the cleaner stops");
            }
            var batches = load(segment, position, end);
            int bytes = batches.getLast().start() + batches.getLast().sizeBytes();
            readBytes += bytes;
            throttle.take(bytes, goesOn);
            if (!sink.take(batches)) {
                return false;
            }
            position += bytes;
        }
        return true;
    }

    private List<Batch> load(Segment segment, int position, int end) throws IOException, Uncleanable {
        while (true) {
            buffer.clear().limit(Math.min(buffer.capacity(), end - position));
            segment.read(buffer, position);
            buffer.flip();
            var batches = wholeBatches(segment, position);
            if (!batches.isEmpty()) {
                check(segment, position, batches);
                return batches;
            }
            int needed = buffer.limit() < Batch.HEADER_BYTES ? Integer.MAX_VALUE : new Batch(buffer, 0).sizeBytes();
            if (needed > end - position) {
                throw broken(segment, position, "a batch ends after the segment");
            }
            buffer = ByteBuffer.allocate(needed);
        }
    }

    private List<Batch> wholeBatches(Segment segment, int position) throws Uncleanable {
        try {
            return Batches.in(buffer);
        } catch (LogRefused broken) {
            throw broken(segment, position, broken.error().message());
        }
    }

    /// What is rewritten gets a new CRC, which must not make good what has rotten.
    private static void check(Segment segment, int position, List<Batch> batches) throws Uncleanable {
        for (var batch : batches) {
            if (!batch.hasValidCrc()) {
                throw broken(segment, position + batch.start(), "a batch has another CRC than it says");
            }
        }
    }

    private static Uncleanable broken(Segment segment, int position, String reason) {
        return new Uncleanable("%s at position %d: %s".formatted(segment, position, reason));
    }
}
