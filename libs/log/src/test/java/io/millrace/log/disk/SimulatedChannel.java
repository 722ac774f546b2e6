package io.millrace.log.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/// As much of a channel as whoever sends a part of a file needs: it reads at a position.
final class SimulatedChannel extends FileChannel {
    private final LogFile file;

    SimulatedChannel(LogFile file) {
        this.file = file;
    }

    @Override
    public int read(ByteBuffer target, long position) throws IOException {
        int count = file.read(target, position);
        return count == 0 && target.hasRemaining() ? -1 : count;
    }

    @Override
    public long size() throws IOException {
        return file.size();
    }

    private static UnsupportedOperationException unsupported() {
        return new UnsupportedOperationException("a simulated channel only reads at a position");
    }

    @Override
    public int read(ByteBuffer target) {
        throw unsupported();
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) {
        throw unsupported();
    }

    @Override
    public int write(ByteBuffer source) {
        throw unsupported();
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) {
        throw unsupported();
    }

    @Override
    public int write(ByteBuffer source, long position) {
        throw unsupported();
    }

    @Override
    public long position() {
        throw unsupported();
    }

    @Override
    public FileChannel position(long newPosition) {
        throw unsupported();
    }

    @Override
    public FileChannel truncate(long size) {
        throw unsupported();
    }

    @Override
    public void force(boolean metaData) {
        throw unsupported();
    }

    @Override
    public long transferTo(long position, long count, WritableByteChannel target) {
        throw unsupported();
    }

    @Override
    public long transferFrom(ReadableByteChannel source, long position, long count) {
        throw unsupported();
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long position, long size) {
        throw unsupported();
    }

    @Override
    public FileLock lock(long position, long size, boolean shared) {
        throw unsupported();
    }

    @Override
    public FileLock tryLock(long position, long size, boolean shared) {
        throw unsupported();
    }

    @Override
    protected void implCloseChannel() {
        // Owned by the file.
    }
}
