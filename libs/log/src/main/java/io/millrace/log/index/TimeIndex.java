package io.millrace.log.index;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

import io.millrace.log.disk.Disk;

/// From a time to an offset: entries of (timestamp 8 bytes, offset - base offset 4 bytes). An entry says: no record up to that
/// offset is later than that time.
public final class TimeIndex {
    private static final int ENTRY_BYTES = 12;
    private static final int OFFSET = 8;
    /// Kafka's sanity check takes the end of the file for the last entry, which must not be earlier than the first; who goes
    /// over the entries ends at the first one that has the base offset.
    private static final ByteBuffer END_OF_ROOM = ByteBuffer.allocate(ENTRY_BYTES)
            .putLong(Long.MAX_VALUE)
            .putInt(0)
            .flip()
            .asReadOnlyBuffer();

    private final MappedIndex index;
    private final long baseOffset;

    /// @param timestamp milliseconds since 1970, -1 where there is none
    public record Entry(long timestamp, long offset) {}

    /// @param maxBytes room for entries; what the file holds already is always kept
    public TimeIndex(Disk disk, Path path, long baseOffset, int maxBytes) throws IOException {
        this.index = new MappedIndex(disk, path, maxBytes, END_OF_ROOM.duplicate());
        this.baseOffset = baseOffset;
    }

    /// Adds an entry where both its time and its offset are above the last one's, and there is room.
    public void appendIfLater(long timestamp, long offset) throws IOException {
        if (takes(timestamp, offset)) {
            int relative = Math.toIntExact(offset - baseOffset);
            index.append(entry -> {
                MappedIndex.put(entry, 0, timestamp);
                MappedIndex.put(entry, OFFSET, relative);
            });
        }
    }

    /// The same for the last entry of a segment that is sealed.
    public void sealIfLater(long timestamp, long offset) throws IOException {
        if (takes(timestamp, offset)) {
            index.addLast(ByteBuffer.allocate(ENTRY_BYTES).putLong(timestamp).putInt(Math.toIntExact(offset
                    - baseOffset)).flip());
        }
    }

    private boolean takes(long timestamp, long offset) {
        var last = last();
        boolean later = index.entries() == 0 ? timestamp >= 0 : timestamp > last.timestamp && offset > last.offset;
        return later && !index.isFull();
    }

    /// The last entry; (-1, base offset) where there is none.
    public Entry last() {
        return entry(index.entries() - 1);
    }

    /// The last entry whose time is not after `timestamp`; (-1, base offset) where there is none.
    public Entry before(long timestamp) {
        return entry(index.floor(timestamp, each -> index.longAt(each, 0)));
    }

    /// Drops entries of offsets from `offset` on.
    public void truncateTo(long offset) throws IOException {
        index.keep(index.floor(offset - 1 - baseOffset, each -> index.intAt(each, OFFSET)) + 1);
    }

    /// A cheap look at the file: whole entries, the last one above the one before it.
    public boolean isSane() throws IOException {
        int last = index.entries() - 1;
        boolean goesUp = last < 1 || (index.longAt(last, 0) > index.longAt(last - 1, 0) && index.intAt(last,
                OFFSET) > index.intAt(last - 1, OFFSET));
        return goesUp && index.isWhole() && (last < 0 || index.intAt(last, OFFSET) >= 0);
    }

    private Entry entry(int entry) {
        return entry < 0
                ? new Entry(-1, baseOffset)
                : new Entry(index.longAt(entry, 0), baseOffset + index.intAt(entry, OFFSET));
    }

    public int entries() {
        return index.entries();
    }

    /// Of its entries.
    public int sizeBytes() {
        return index.sizeBytes();
    }

    public boolean isFull() {
        return index.isFull();
    }

    /// Drops every entry. Nobody may read meanwhile.
    public void clear() throws IOException {
        index.clear();
    }

    /// Cuts the file to its entries.
    public void trim() throws IOException {
        index.trim();
    }

    /// Makes the entries durable.
    public void sync() throws IOException {
        index.sync();
    }

    /// Gives the file another name.
    public void rename(Path to) throws IOException {
        index.rename(to);
    }

    /// Nobody may read any more.
    public void unmap() {
        index.unmap();
    }
}
