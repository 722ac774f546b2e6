package io.millrace.log.transaction;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.millrace.log.disk.Disk;
import io.millrace.log.disk.LogFile;

/// The `.txnindex` of one segment: its aborted transactions, in the order of their markers. There is no file while there is
/// none. Only how many there are and where the last one ends is kept in memory, so most readers learn without a look at the
/// file that there is nothing for them; it keeps no file open.
public final class TransactionIndex {
    private static final int UNKNOWN = -1;
    /// Read at a time.
    private static final int CHUNK = 120;

    private final Disk disk;
    private Path path;
    private int count = UNKNOWN;
    private long lastMarker = -1;

    public TransactionIndex(Disk disk, Path path) {
        this.disk = disk;
        this.path = path;
    }

    /// Adds one, whose marker lies behind those of all others.
    public synchronized void append(AbortedTransaction transaction) throws IOException {
        int at = count();
        var entry = ByteBuffer.allocate(AbortedTransaction.BYTES);
        transaction.writeTo(entry);
        try (var file = disk.open(path)) {
            // A torn entry at the end is overwritten.
            file.write(entry.flip(), (long) at * AbortedTransaction.BYTES);
        }
        count = at + 1;
        lastMarker = transaction.lastOffset();
    }

    /// All of them.
    public synchronized List<AbortedTransaction> list() throws IOException {
        var found = new ArrayList<AbortedTransaction>();
        collect(0, Long.MAX_VALUE, found);
        return found;
    }

    /// Adds to `found` the transactions of which something may lie between `from` and `bound`, the latter excluded.
    ///
    /// @return whether those of later segments all begin at `bound` or after it
    public synchronized boolean collect(long from, long bound, List<AbortedTransaction> found) throws IOException {
        if (count() == 0 || lastMarker < from) {
            return false;
        }
        try (var file = disk.open(path)) {
            for (int at = firstFrom(file, from); at < count; at += CHUNK) {
                for (var entry : entries(file, at, Math.min(CHUNK, count - at))) {
                    if (entry.firstOffset() < bound) {
                        found.add(entry);
                    }
                    if (entry.lastStableOffset() >= bound) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    /// The first one whose marker is not below `offset`.
    private int firstFrom(LogFile file, long offset) throws IOException {
        int low = 0;
        int high = count - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (entries(file, middle, 1).getFirst().lastOffset() < offset) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    private List<AbortedTransaction> entries(LogFile file, int first, int many) throws IOException {
        var bytes = ByteBuffer.allocate(many * AbortedTransaction.BYTES);
        if (file.read(bytes, (long) first * AbortedTransaction.BYTES) < bytes.capacity()) {
            throw new IOException("%s is shorter than its %d entries".formatted(path, count));
        }
        bytes.flip();
        var found = new ArrayList<AbortedTransaction>(many);
        while (bytes.hasRemaining()) {
            found.add(AbortedTransaction.read(bytes));
        }
        return found;
    }

    private int count() throws IOException {
        if (count == UNKNOWN) {
            count = disk.exists(path) ? Math.toIntExact(disk.size(path) / AbortedTransaction.BYTES) : 0;
            noteLast();
        }
        return count;
    }

    private void noteLast() throws IOException {
        lastMarker = -1;
        if (count > 0) {
            try (var file = disk.open(path)) {
                lastMarker = entries(file, count - 1, 1).getFirst().lastOffset();
            }
        }
    }

    /// Drops those whose marker has an offset from `offset` on.
    public synchronized void truncateTo(long offset) throws IOException {
        if (count() > 0) {
            try (var file = disk.open(path)) {
                count = firstFrom(file, offset);
                file.truncate((long) count * AbortedTransaction.BYTES);
            }
            noteLast();
        }
    }

    /// Drops all.
    public synchronized void clear() throws IOException {
        disk.delete(path);
        count = 0;
        lastMarker = -1;
    }

    /// Makes the entries durable.
    public synchronized void sync() throws IOException {
        if (disk.exists(path)) {
            try (var file = disk.open(path)) {
                file.sync();
            }
        }
    }

    /// Gives the file another name, where it is there.
    public synchronized void rename(Path to) throws IOException {
        if (disk.exists(path)) {
            disk.rename(path, to);
        }
        path = to;
    }
}
