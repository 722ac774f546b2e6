package io.millrace.log.segment;

import java.nio.channels.FileChannel;
import java.util.concurrent.atomic.AtomicBoolean;

/// Bytes of a segment, to be sent from the file. The file stays open and keeps these bytes until [#close], even where the
/// segment is deleted meanwhile. Whoever gets a slice closes it, from any thread.
public final class LogSlice implements AutoCloseable {
    private final FileChannel channel;
    private final long position;
    private final int size;
    private final Runnable release;
    private final AtomicBoolean closed = new AtomicBoolean();

    /// @param release called once, by the first `close`
    LogSlice(FileChannel channel, long position, int size, Runnable release) {
        this.channel = channel;
        this.position = position;
        this.size = size;
        this.release = release;
    }

    /// Owned by the segment: read from it by position only, and never close it.
    public FileChannel channel() {
        return channel;
    }

    /// Position in the file of the first byte.
    public long position() {
        return position;
    }

    /// Bytes; at least 1. The last batch may be cut, as in Kafka, but never the first one where a whole one was asked for.
    public int size() {
        return size;
    }

    /// Gives the file back. Harmless when repeated.
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            release.run();
        }
    }
}
