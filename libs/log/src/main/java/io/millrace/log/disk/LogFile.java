package io.millrace.log.disk;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

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

    /// Keeps it open until [#release]. A file of which there may be only so many is closed now and then otherwise, and
    /// opened again for whoever uses it.
    ///
    /// @throws java.nio.file.NoSuchFileException where it would have to be opened, and is gone
    default void hold() throws IOException {}

    /// Undoes one [#hold].
    default void release() {}

    /// For `sendfile`. Owned by this file; to be used only while that is held.
    FileChannel channel();

    /// Gives it another name, where it is there under the one it has. Whoever uses it goes on.
    ///
    /// @param on the disk that it was opened on
    default void rename(Disk on, Path from, Path to) throws IOException {
        if (on.exists(from)) {
            on.rename(from, to);
        }
    }

    @Override
    void close() throws IOException;
}
