package io.millrace.log.transaction;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.millrace.log.disk.Disk;

/// The `.txnindex` of one segment: its aborted transactions, in the order of their markers. There is no file while there is
/// none. It is short and seldom looked at, so it is read anew each time and keeps no file open.
public final class TransactionIndex {
    private final Disk disk;
    private volatile Path path;

    public TransactionIndex(Disk disk, Path path) {
        this.disk = disk;
        this.path = path;
    }

    /// Adds one, whose marker lies behind those of all others.
    public void append(AbortedTransaction transaction) throws IOException {
        var entry = ByteBuffer.allocate(AbortedTransaction.BYTES);
        transaction.writeTo(entry);
        try (var file = disk.open(path)) {
            // A torn entry at the end is overwritten.
            file.write(entry.flip(), file.size() / AbortedTransaction.BYTES * AbortedTransaction.BYTES);
        }
    }

    /// All of them.
    public synchronized List<AbortedTransaction> list() throws IOException {
        if (!disk.exists(path)) {
            return List.of();
        }
        var bytes = ByteBuffer.wrap(disk.read(path));
        var found = new ArrayList<AbortedTransaction>();
        while (bytes.remaining() >= AbortedTransaction.BYTES) {
            found.add(AbortedTransaction.read(bytes));
        }
        return found;
    }

    /// Drops those whose marker has an offset from `offset` on.
    public void truncateTo(long offset) throws IOException {
        if (disk.exists(path)) {
            int kept = (int) list().stream().takeWhile(each -> each.lastOffset() < offset).count();
            try (var file = disk.open(path)) {
                file.truncate((long) kept * AbortedTransaction.BYTES);
            }
        }
    }

    /// Drops all.
    public void clear() throws IOException {
        disk.delete(path);
    }

    /// Makes the entries durable.
    public void sync() throws IOException {
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
