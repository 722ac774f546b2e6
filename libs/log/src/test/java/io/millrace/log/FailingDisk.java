package io.millrace.log;

import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.millrace.log.disk.Disk;
import io.millrace.log.disk.LogFile;
import io.millrace.log.disk.MapBudget;

/// A disk, until it is told to fail.
final class FailingDisk implements Disk {
    private final Disk disk;
    private final AtomicInteger left = new AtomicInteger(Integer.MAX_VALUE);

    /// The real one.
    FailingDisk() {
        this(FILES);
    }

    FailingDisk(Disk disk) {
        this.disk = disk;
    }

    void failWrites() {
        failWritesAfter(0);
    }

    /// @param count how many changes still succeed
    void failWritesAfter(int count) {
        left.set(count);
    }

    private void check() throws IOException {
        if (left.getAndUpdate(now -> Math.max(0, now - 1)) == 0) {
            throw new IOException("no space left on device");
        }
    }

    @Override
    public LogFile open(Path path) throws IOException {
        return new Failing(disk.open(path));
    }

    @Override
    public boolean exists(Path path) {
        return disk.exists(path);
    }

    @Override
    public long size(Path path) throws IOException {
        return disk.size(path);
    }

    @Override
    public long lastModified(Path path) throws IOException {
        return disk.lastModified(path);
    }

    @Override
    public List<String> list(Path directory) throws IOException {
        return disk.list(directory);
    }

    @Override
    public boolean isDirectory(Path path) {
        return disk.isDirectory(path);
    }

    @Override
    public void createDirectories(Path directory) throws IOException {
        check();
        disk.createDirectories(directory);
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        check();
        disk.rename(from, to);
    }

    @Override
    public void delete(Path path) throws IOException {
        check();
        disk.delete(path);
    }

    @Override
    public byte[] read(Path path) throws IOException {
        return disk.read(path);
    }

    @Override
    public void replace(Path path, byte[] content) throws IOException {
        check();
        disk.replace(path, content);
    }

    @Override
    public void syncDirectory(Path directory) throws IOException {
        check();
        disk.syncDirectory(directory);
    }

    @Override
    public void force(MemorySegment mapped) throws IOException {
        disk.force(mapped);
    }

    @Override
    public Closeable lock(Path directory) throws IOException {
        return disk.lock(directory);
    }

    @Override
    public MapBudget maps() {
        return disk.maps();
    }

    private final class Failing implements LogFile {
        private final LogFile file;

        Failing(LogFile file) {
            this.file = file;
        }

        @Override
        public void write(ByteBuffer source, long position) throws IOException {
            check();
            file.write(source, position);
        }

        @Override
        public int read(ByteBuffer target, long position) throws IOException {
            return file.read(target, position);
        }

        @Override
        public long size() throws IOException {
            return file.size();
        }

        @Override
        public void truncate(long size) throws IOException {
            check();
            file.truncate(size);
        }

        @Override
        public void resize(long size) throws IOException {
            check();
            file.resize(size);
        }

        @Override
        public void sync() throws IOException {
            check();
            file.sync();
        }

        @Override
        public MemorySegment map(long size, Arena arena) throws IOException {
            return file.map(size, arena);
        }

        @Override
        public FileChannel channel() {
            return file.channel();
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
