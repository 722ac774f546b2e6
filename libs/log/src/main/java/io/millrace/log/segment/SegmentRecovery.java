package io.millrace.log.segment;

import java.io.IOException;

import io.millrace.log.batch.Batch;
import io.millrace.log.disk.LogFile;

/// Goes over a segment from its beginning, and finds where its whole batches end.
final class SegmentRecovery {
    private final LogFile file;
    private final long baseOffset;
    private final long trusted;

    /// @param trusted batches below this offset are on disk for sure: their CRC is not computed
    SegmentRecovery(LogFile file, long baseOffset, long trusted) {
        this.file = file;
        this.baseOffset = baseOffset;
        this.trusted = trusted;
    }

    /// @param visitor told of every good batch, all of which it wants
    /// @return where the first batch begins that is not whole, or the end of the file
    int run(BatchVisitor visitor) throws IOException {
        long fileSize = file.size();
        int end = (int) Math.min(fileSize, Integer.MAX_VALUE);
        // Most of a thousand logs are small.
        var window = new FileWindow(file, Math.clamp(fileSize, FileWindow.LOOKUP_BYTES, FileWindow.SCAN_BYTES));
        long nextOffset = baseOffset;
        int position = 0;
        while (position <= end - Batch.HEADER_BYTES) {
            var batch = window.header(position);
            int bytes = batch.sizeBytes();
            if (!isWhole(batch, end - position, nextOffset) || (batch.lastOffset() >= trusted && !window.hasValidCrc(
                    position, bytes))) {
                break;
            }
            batch = window.header(position);
            refuseTooFar(batch);
            visitor.visit(batch, position);
            nextOffset = batch.lastOffset() + 1;
            position += bytes;
        }
        return position;
    }

    private boolean isWhole(Batch batch, int available, long nextOffset) {
        return batch.sizeBytes() >= Batch.HEADER_BYTES && batch.sizeBytes() <= available && batch.magic() == Batch.MAGIC
                && batch.baseOffset() >= nextOffset && batch.lastOffsetDelta() >= 0;
    }

    /// A good batch is not cut off because the indexes cannot tell of it.
    private void refuseTooFar(Batch batch) throws IOException {
        if (!Segment.fits(baseOffset, batch.lastOffset())) {
            throw new IOException(
                    ("the segment at %d holds a batch up to offset %d, which is too far from its beginning "
                            + "for an index").formatted(baseOffset, batch.lastOffset()));
        }
    }
}
