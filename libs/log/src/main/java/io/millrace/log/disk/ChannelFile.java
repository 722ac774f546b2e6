package io.millrace.log.disk;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/// @param channel open for reading and writing; closed with this file
record ChannelFile(FileChannel channel) implements LogFile {
    @Override
    public void write(ByteBuffer source, long position) throws IOException {
        long at = position;
        while (source.hasRemaining()) {
            at += channel.write(source, at);
        }
    }

    @Override
    public int read(ByteBuffer target, long position) throws IOException {
        int total = 0;
        while (target.hasRemaining()) {
            int count = channel.read(target, position + total);
            if (count < 0) {
                break;
            }
            total += count;
        }
        return total;
    }

    @Override
    public long size() throws IOException {
        return channel.size();
    }

    @Override
    public void truncate(long size) throws IOException {
        if (size < channel.size()) {
            channel.truncate(size);
        }
    }

    @Override
    public void resize(long size) throws IOException {
        long now = channel.size();
        if (size < now) {
            channel.truncate(size);
        } else if (size > now) {
            channel.write(ByteBuffer.allocate(1), size - 1);
        }
    }

    @Override
    public void sync() throws IOException {
        channel.force(true);
    }

    @Override
    public void syncData() throws IOException {
        channel.force(false);
    }

    @Override
    public MemorySegment map(long size, Arena arena) throws IOException {
        return channel.map(FileChannel.MapMode.READ_WRITE, 0, size, arena);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
