package io.millrace.log.disk;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;

/// A file that is open only now and then; see [CappedDisk].
final class CappedFile implements LogFile {
    private static final int NOT_OPEN = -1;

    private final CappedDisk cap;
    private final Disk disk;
    /// Held while it is opened, closed or renamed; for closing an idle one only tried, as others wait for the cap then.
    private final ReentrantLock lock = new ReentrantLock();
    /// How many use it right now; [#NOT_OPEN] where it is not open.
    private final AtomicInteger users = new AtomicInteger(NOT_OPEN);
    /// Of use to whoever is counted in `users`.
    private volatile @Nullable LogFile open;
    /// Whether it was used since it was last looked at for closing.
    private volatile boolean recent;
    private volatile Path path;
    private boolean closed;

    private interface Use<R> {
        R of(LogFile file) throws IOException;
    }

    CappedFile(CappedDisk cap, Disk disk, Path path) {
        this.cap = cap;
        this.disk = disk;
        this.path = path;
    }

    private LogFile enter() throws IOException {
        if (!recent) {
            recent = true;
        }
        while (true) {
            int now = users.get();
            if (now == NOT_OPEN) {
                if (reopen()) {
                    cap.opened(this);
                }
            } else if (users.compareAndSet(now, now + 1)) {
                return opened();
            }
        }
    }

    private void leave() {
        users.decrementAndGet();
    }

    private LogFile opened() {
        return Objects.requireNonNull(open, "open while it is in use");
    }

    /// @return false where somebody else has opened it meanwhile
    private boolean reopen() throws IOException {
        lock.lock();
        try {
            if (closed) {
                throw new ClosedChannelException();
            }
            if (users.get() != NOT_OPEN) {
                return false;
            }
            if (!disk.exists(path)) {
                // To be opened it must not be made anew.
                throw new NoSuchFileException(path.toString());
            }
            open = disk.open(path);
            users.set(0);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /// Called by the cap, with its monitor held.
    ///
    /// @return false where it is in use, or was since the last call
    boolean closeIfIdle() {
        if (recent) {
            recent = false;
            return false;
        }
        if (!lock.tryLock()) {
            return false;
        }
        try {
            var idle = open;
            if (idle == null || !users.compareAndSet(0, NOT_OPEN)) {
                return idle == null;
            }
            open = null;
            idle.close();
            return true;
        } catch (IOException failure) {
            // Nothing that was written is lost by it: whoever syncs the file is told.
            throw new UncheckedIOException(failure);
        } finally {
            lock.unlock();
        }
    }

    private <R> R use(Use<R> use) throws IOException {
        var file = enter();
        try {
            return use.of(file);
        } finally {
            leave();
        }
    }

    @Override
    public void write(ByteBuffer source, long position) throws IOException {
        var file = enter();
        try {
            file.write(source, position);
        } finally {
            leave();
        }
    }

    @Override
    public int read(ByteBuffer target, long position) throws IOException {
        var file = enter();
        try {
            return file.read(target, position);
        } finally {
            leave();
        }
    }

    @Override
    public long size() throws IOException {
        return users.get() == NOT_OPEN ? sizeByName() : use(LogFile::size);
    }

    private long sizeByName() throws IOException {
        lock.lock();
        try {
            return disk.size(path);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void truncate(long size) throws IOException {
        if (size < size()) {
            use(file -> {
                file.truncate(size);
                return file;
            });
        }
    }

    @Override
    public void resize(long size) throws IOException {
        use(file -> {
            file.resize(size);
            return file;
        });
    }

    @Override
    public void sync() throws IOException {
        use(file -> {
            file.sync();
            return file;
        });
    }

    @Override
    public void syncData() throws IOException {
        use(file -> {
            file.syncData();
            return file;
        });
    }

    @Override
    public MemorySegment map(long size, Arena arena) throws IOException {
        return use(file -> file.map(size, arena));
    }

    @Override
    public void hold() throws IOException {
        enter();
    }

    @Override
    public void release() {
        leave();
    }

    @Override
    public FileChannel channel() {
        return opened().channel();
    }

    @Override
    public void rename(Disk on, Path from, Path to) throws IOException {
        lock.lock();
        try {
            if (on.exists(path)) {
                on.rename(path, to);
            }
            path = to;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() throws IOException {
        lock.lock();
        try {
            closed = true;
            var last = open;
            users.set(NOT_OPEN);
            open = null;
            if (last != null) {
                last.close();
            }
        } finally {
            lock.unlock();
        }
        cap.closed(this);
    }
}
