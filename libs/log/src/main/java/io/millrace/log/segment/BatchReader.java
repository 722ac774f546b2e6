package io.millrace.log.segment;

import java.io.IOException;
import java.nio.ByteBuffer;

import io.millrace.log.batch.Batch;
import io.millrace.log.disk.LogFile;
import org.jspecify.annotations.Nullable;

/// Finds batches of one segment, and goes over them. Any thread.
final class BatchReader {
    private final LogFile file;
    private final SegmentIndexes indexes;
    private final long baseOffset;

    BatchReader(LogFile file, SegmentIndexes indexes, long baseOffset) {
        this.file = file;
        this.indexes = indexes;
        this.baseOffset = baseOffset;
    }

    /// The first batch whose last offset is not below `offset`; null where there is none before `end`.
    Segment.@Nullable Found find(long offset, int end) throws IOException {
        var window = new FileWindow(file, FileWindow.LOOKUP_BYTES);
        int start = indexes.positionBefore(offset);
        var found = scan(window, start, offset, end);
        // An index entry that does not lead to a batch is rotten; the file itself still answers.
        return found == null && start > 0 && !isBatchBefore(window, start, offset, end)
                ? scan(window, 0, offset, end)
                : found;
    }

    private Segment.@Nullable Found scan(FileWindow window, int start, long offset, int end) throws IOException {
        int position = start;
        while (position >= 0 && position <= end - Batch.HEADER_BYTES) {
            var batch = window.header(position);
            int size = batch.sizeBytes();
            if (size < Batch.HEADER_BYTES || size > end - position || batch.magic() != Batch.MAGIC) {
                return null;
            }
            if (batch.lastOffset() >= offset) {
                return batch.baseOffset() >= baseOffset ? new Segment.Found(position, batch) : null;
            }
            position += size;
        }
        return null;
    }

    private boolean isBatchBefore(FileWindow window, int position, long offset, int end) throws IOException {
        if (position < 0 || position > end - Batch.HEADER_BYTES) {
            return false;
        }
        var batch = window.header(position);
        return batch.magic() == Batch.MAGIC && batch.sizeBytes() >= Batch.HEADER_BYTES && batch.sizeBytes() <= end
                - position && batch.baseOffset() >= baseOffset && batch.baseOffset() <= offset;
    }

    /// Goes over all batches that end at or after `offset`, headers only, in order, until `visitor` says that it has enough.
    void visit(long offset, int end, BatchVisitor visitor) throws IOException {
        var found = find(offset, end);
        int position = found == null ? end : found.position();
        var window = new FileWindow(file, Math.clamp(end - position, Batch.HEADER_BYTES, FileWindow.VISIT_BYTES));
        while (position <= end - Batch.HEADER_BYTES) {
            var batch = window.header(position);
            int size = batch.sizeBytes();
            if (size < Batch.HEADER_BYTES || !visitor.visit(batch, position)) {
                return;
            }
            position += size;
        }
    }

    /// A batch, whole, in a buffer of its own.
    Batch load(int position, int bytes) throws IOException {
        var buffer = ByteBuffer.allocate(bytes);
        if (file.read(buffer, position) < bytes) {
            throw new IOException("the segment at %d ends inside of the batch at position %d".formatted(baseOffset,
                    position));
        }
        return new Batch(buffer.flip(), 0);
    }

    /// Offset after the last batch before `end`.
    long nextOffset(int end) throws IOException {
        var next = new long[]{baseOffset};
        visit(Math.max(baseOffset, indexes.lastKnownOffset()), end, (batch, _) -> {
            next[0] = batch.lastOffset() + 1;
            return true;
        });
        return next[0];
    }
}
