package io.millrace.log.segment;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

import io.millrace.log.batch.Batch;
import io.millrace.log.disk.LogFile;

/// Reads batches of a file one after the other through a buffer. Not for several threads.
final class FileWindow {
    /// For a lookup, which reads a few headers.
    static final int LOOKUP_BYTES = 512;
    /// For going over headers.
    static final int VISIT_BYTES = 1 << 16;
    /// For going over a whole segment, byte by byte.
    static final int SCAN_BYTES = 1 << 20;

    private static final int CRC_START = 21;

    private final LogFile file;
    private final ByteBuffer buffer;
    private long start;

    FileWindow(LogFile file, int bytes) {
        this.file = file;
        this.buffer = ByteBuffer.allocate(bytes).limit(0);
    }

    /// The header of the batch at `position`; 61 bytes must lie before the end of the file.
    Batch header(int position) throws IOException {
        return new Batch(buffer, load(position, Batch.HEADER_BYTES));
    }

    /// Whether a batch of `size` bytes at `position`, all in the file, has the CRC that it says.
    boolean hasValidCrc(int position, int size) throws IOException {
        if (size <= buffer.capacity()) {
            return new Batch(buffer, load(position, size)).hasValidCrc();
        }
        int expected = header(position).crc();
        var crc = new CRC32C();
        int at = position + CRC_START;
        while (at < position + size) {
            int count = Math.min(buffer.capacity(), position + size - at);
            int index = load(at, count);
            crc.update(buffer.duplicate().limit(index + count).position(index));
            at += count;
        }
        return (int) crc.getValue() == expected;
    }

    private int load(long position, int bytes) throws IOException {
        if (position < start || position + bytes > start + buffer.limit()) {
            buffer.clear();
            start = position;
            int count = file.read(buffer, position);
            buffer.flip();
            if (count < bytes) {
                buffer.limit(0);
                throw new IOException("the file ends at %d, inside of a batch".formatted(position + count));
            }
        }
        return (int) (position - start);
    }
}
