package io.millrace.log.index;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.OptionalLong;

import io.millrace.log.disk.Disk;

/// From an offset to a position in the segment: entries of (offset - base offset, position), 4 bytes each. The offset of an
/// entry is the last one of the batch at its position, as in Kafka.
public final class OffsetIndex {
    private static final int ENTRY_BYTES = 8;
    private static final int POSITION = 4;

    private final MappedIndex index;
    private final long baseOffset;

    /// @param maxBytes room for entries; what the file holds already is always kept
    public OffsetIndex(Disk disk, Path path, long baseOffset, int maxBytes) throws IOException {
        this.index = new MappedIndex(disk, path, maxBytes, ByteBuffer.allocate(ENTRY_BYTES));
        this.baseOffset = baseOffset;
    }

    /// Adds an entry, whose offset is above those before.
    public void append(long offset, int position) throws IOException {
        int relative = Math.toIntExact(offset - baseOffset);
        index.append(entry -> {
            MappedIndex.put(entry, 0, relative);
            MappedIndex.put(entry, POSITION, position);
        });
    }

    /// Position of a batch at or before the one that holds `offset`; 0 where no entry is so low.
    public int positionBefore(long offset) {
        int entry = index.floor(offset - baseOffset, each -> index.intAt(each, 0));
        return entry < 0 ? 0 : index.intAt(entry, POSITION);
    }

    /// The offset of the first entry at or after `position`, which is above all records before; empty where there is none.
    public OptionalLong offsetFrom(int position) {
        int entry = index.floor(position - 1L, each -> index.intAt(each, POSITION)) + 1;
        return entry >= index.entries()
                ? OptionalLong.empty()
                : OptionalLong.of(baseOffset + index.intAt(entry, 0));
    }

    /// The last entry's offset; the base offset where there is none.
    public long lastOffset() {
        int entries = index.entries();
        return entries == 0 ? baseOffset : baseOffset + index.intAt(entries - 1, 0);
    }

    /// Drops entries of offsets from `offset` on.
    public void truncateTo(long offset) throws IOException {
        index.keep(index.floor(offset - 1 - baseOffset, each -> index.intAt(each, 0)) + 1);
    }

    /// A cheap look at the file: whole entries, the last one inside of a segment of `segmentBytes` and above the one before it
    /// (a file that was never trimmed ends in zeroes).
    public boolean isSane(int segmentBytes) throws IOException {
        int last = index.entries() - 1;
        boolean goesUp = last < 1 || index.intAt(last, 0) > index.intAt(last - 1, 0);
        return goesUp && index.isWhole() && (last < 0 || (index.intAt(last, 0) >= 0 && index.intAt(last, POSITION) >= 0
                && index
                        .intAt(last, POSITION) < segmentBytes));
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
