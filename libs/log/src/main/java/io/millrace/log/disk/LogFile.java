package io.millrace.log.disk;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/// One open file. Reads and writes at stated positions, so several threads may share it.
public interface LogFile extends AutoCloseable {

    /// Writes all that remains of `source` at `position`.
    void write(ByteBuffer source, long position) throws IOException;

    /// Fills `target` from `position` on as far as the file reaches, and returns how many bytes that were (0 at the end).
    int read(ByteBuffer target, long position) throws IOException;

    long size() throws IOException;

    /// Cuts the file to `size`, or does nothing where it is shorter.
    void truncate(long size) throws IOException;

    /// Makes the file `size` long; what is added reads as zeroes.
    void resize(long size) throws IOException;

    /// Makes what was written durable.
    void sync() throws IOException;

    /// The same for its bytes and its size alone, which is all that is needed to read them.
    default void syncData() throws IOException {
        sync();
    }

    /// The first `size` bytes in memory, writable, until `arena` is closed.
    MemorySegment map(long size, Arena arena) throws IOException;

    /// For `sendfile`. Owned by this file.
    FileChannel channel();

    @Override
    void close() throws IOException;
}
