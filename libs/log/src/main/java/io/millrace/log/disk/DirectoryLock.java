package io.millrace.log.disk;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// The `.lock` file: one process, and one owner in it, works on a log directory. Of the operating system, so it ends with the
/// process however that ends.
final class DirectoryLock implements Closeable {
    private final FileChannel channel;

    private DirectoryLock(FileChannel channel) {
        this.channel = channel;
    }

    /// @throws ForeignDirectoryException where another has it
    static DirectoryLock take(Path directory) throws IOException {
        var channel = FileChannel.open(directory.resolve(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = null;
        try {
            lock = channel.tryLock();
        } catch (OverlappingFileLockException _) {
            // Taken in this very process; told below as any other.
        } finally {
            if (lock == null) {
                channel.close();
            }
        }
        if (lock == null) {
            throw new ForeignDirectoryException("the log directory " + directory + " is in use by another broker");
        }
        return new DirectoryLock(channel);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
