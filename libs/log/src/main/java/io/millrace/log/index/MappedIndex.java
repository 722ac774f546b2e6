package io.millrace.log.index;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.Consumer;

import io.millrace.log.disk.Disk;
import org.jspecify.annotations.Nullable;

/// Entries of one size in a mapped file, which gets its full size with the first entry that is added and is trimmed to its
/// entries when the segment is closed or no longer the last one. It is mapped when it is first searched or added to, and keeps
/// no file open; where too many are mapped already it is read and written as a file. Where entries are put through the mapping,
/// zeroes were written before: a full disk refuses a write, but a store into a hole of a file on it is a fault of the memory.
final class MappedIndex {
    private static final int STEP_BYTES = 16 << 10;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private final Disk disk;
    private final int entryBytes;
    private final int maxEntries;
    private final ByteBuffer endOfRoom;
    private volatile Path path;
    // A reader that sees a count also sees the mapping and the entries that it counts.
    private volatile int entries;
    private volatile @Nullable MemorySegment mapping;
    private @Nullable Arena arena;
    /// Taken from the disk's budget.
    private int maps;
    private boolean preallocated;
    /// Whether the file has bytes that were not written through the mapping and are not synced.
    private volatile boolean writtenApart;
    /// Up to where the disk has given room.
    private long writableBytes;

    /// What an entry is compared with in a search.
    @FunctionalInterface
    interface Key {
        long of(int entry);
    }

    /// @param endOfRoom what lies in the place of the last entry while that is not there; has the size of an entry
    MappedIndex(Disk disk, Path path, int maxBytes, ByteBuffer endOfRoom) throws IOException {
        this.disk = disk;
        this.path = path;
        this.endOfRoom = endOfRoom;
        this.entryBytes = endOfRoom.remaining();
        this.entries = disk.exists(path) ? (int) (disk.size(path) / entryBytes) : 0;
        this.maxEntries = Math.max(entries, maxBytes / entryBytes);
    }

    int entries() {
        return entries;
    }

    /// Of its entries.
    int sizeBytes() {
        return entries * entryBytes;
    }

    boolean isFull() {
        return entries >= maxEntries;
    }

    /// Whether the file is there and consists of whole entries.
    boolean isWhole() throws IOException {
        return disk.exists(path) && disk.size(path) % entryBytes == 0;
    }

    /// A single look does not map it: at a start, every segment gets one.
    int intAt(int entry, int field) {
        var memory = mapping;
        return memory != null
                ? memory.get(INT, (long) entry * entryBytes + field)
                : stored(entry, field, Integer.BYTES).getInt();
    }

    long longAt(int entry, int field) {
        var memory = mapping;
        return memory != null
                ? memory.get(LONG, (long) entry * entryBytes + field)
                : stored(entry, field, Long.BYTES).getLong();
    }

    private ByteBuffer stored(int entry, int field, int bytes) {
        var read = ByteBuffer.allocate(bytes);
        try (var file = disk.open(path)) {
            if (file.read(read, (long) entry * entryBytes + field) < bytes) {
                throw new EOFException("%s is shorter than its %d entries".formatted(path, entries));
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        return read.flip();
    }

    /// Adds an entry.
    ///
    /// @param fill writes it into what it is given
    void append(Consumer<MemorySegment> fill) throws IOException {
        if (isWritable()) {
            if (sizeBytes() + entryBytes > writableBytes) {
                makeRoom();
            }
            fill.accept(Objects.requireNonNull(mapping, "mapped").asSlice((long) entries * entryBytes, entryBytes));
            added();
        } else {
            var entry = new byte[entryBytes];
            fill.accept(MemorySegment.ofArray(entry));
            write(ByteBuffer.wrap(entry));
        }
    }

    private boolean isWritable() throws IOException {
        if (!preallocated && map((long) maxEntries * entryBytes) != null) {
            preallocated = true;
            writableBytes = sizeBytes();
        }
        return preallocated;
    }

    private void write(ByteBuffer entry) throws IOException {
        try (var file = disk.open(path)) {
            file.write(entry, sizeBytes());
        }
        writtenApart = true;
        // Readers who count the entry map the file anew; who has the old mapping looks no further than it reaches.
        mapping = null;
        added();
    }

    /// Adds an entry to a file that is about to be trimmed. Where it has not got its full size yet it does not get it now: to
    /// map and unmap that costs more than all else where a thousand logs are closed.
    ///
    /// @param entry as the file has it
    void addLast(ByteBuffer entry) throws IOException {
        if (preallocated) {
            append(memory -> memory.copyFrom(MemorySegment.ofBuffer(entry)));
        } else {
            write(entry);
        }
    }

    private void makeRoom() throws IOException {
        long full = (long) maxEntries * entryBytes;
        int step = STEP_BYTES / entryBytes * entryBytes;
        int bytes = (int) Math.min(step, full - writableBytes);
        var room = ByteBuffer.allocate(bytes);
        if (writableBytes + bytes == full) {
            room.position(bytes - entryBytes).put(endOfRoom.duplicate()).rewind();
        }
        try (var file = disk.open(path)) {
            file.write(room, writableBytes);
        }
        writableBytes += bytes;
    }

    static void put(MemorySegment entry, int field, int value) {
        entry.set(INT, field, value);
    }

    static void put(MemorySegment entry, int field, long value) {
        entry.set(LONG, field, value);
    }

    private void added() {
        int count = entries + 1;
        entries = count;
    }

    /// Index of the last entry whose key is not above `target`; -1 where there is none. Keys go up.
    int floor(long target, Key key) {
        int low = 0;
        int high = entries - 1;
        if (high >= 0 && mapping == null) {
            mapEntries();
        }
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (key.of(middle) <= target) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return high;
    }

    /// Keeps the first `count` entries. In the place of the others there is nothing then: who reads the file while it has room
    /// at its end, as Kafka's tools do, ends at the first entry that is empty.
    void keep(int count) throws IOException {
        int dropped = entries - count;
        if (dropped <= 0) {
            return;
        }
        entries = count;
        if (count == 0) {
            // An empty first entry would be taken for one. Whoever still has the old file mapped may go on.
            disk.delete(path);
            preallocated = false;
            return;
        }
        try (var file = disk.open(path)) {
            file.write(ByteBuffer.allocate(dropped * entryBytes), (long) count * entryBytes);
        }
        writtenApart |= !preallocated;
    }

    /// Drops all entries and their room. Nobody may read meanwhile.
    void clear() throws IOException {
        entries = 0;
        mapping = null;
        preallocated = false;
        if (disk.exists(path)) {
            resize(0);
        }
    }

    /// Cuts the file to its entries.
    void trim() throws IOException {
        if (preallocated || !disk.exists(path)) {
            resize((long) entries * entryBytes);
            // The old mapping stays, for readers who have it. They never look past `entries`.
            preallocated = false;
        } else if (disk.size(path) != (long) entries * entryBytes) {
            resize((long) entries * entryBytes);
        }
    }

    void sync() throws IOException {
        if (writtenApart) {
            writtenApart = false;
            try (var file = disk.open(path)) {
                file.sync();
            }
            return;
        }
        var memory = mapping;
        if (memory != null && entries > 0) {
            disk.force(memory.asSlice(0, (long) entries * entryBytes));
        }
    }

    /// Gives the file another name, where it is there. Locked, so that no reader maps a name that is just going.
    synchronized void rename(Path to) throws IOException {
        if (disk.exists(path)) {
            disk.rename(path, to);
        }
        path = to;
    }

    /// Unmaps it. Nobody may read any more.
    void unmap() {
        if (arena != null) {
            arena.close();
            arena = null;
            mapping = null;
            disk.maps().giveBack(maps);
            maps = 0;
        }
    }

    private synchronized void mapEntries() {
        if (mapping == null) {
            try {
                map((long) entries * entryBytes);
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }
    }

    /// Null where there are too many maps.
    private synchronized @Nullable MemorySegment map(long bytes) throws IOException {
        if (!disk.maps().take()) {
            return null;
        }
        maps++;
        if (arena == null) {
            arena = Arena.ofShared();
        }
        try (var file = disk.open(path)) {
            if (file.size() < bytes) {
                file.write(endOfRoom.duplicate(), bytes - entryBytes);
            }
            var memory = file.map(bytes, arena);
            mapping = memory;
            return memory;
        }
    }

    private void resize(long bytes) throws IOException {
        try (var file = disk.open(path)) {
            file.resize(bytes);
        }
    }
}
