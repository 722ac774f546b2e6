package io.millrace.log.compaction;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/// From keys to the last offset of each, in memory of a fixed size outside of the heap: a slot is 16 bytes of the key's
/// SHA-256 and the offset + 1, so that 0 says that it is empty. Keys whose first 16 bytes of it are the same are taken for the
/// same key: that does not happen by chance, nor can it be brought about. Only on the thread that made it.
final class OffsetMap implements AutoCloseable {
    static final int SLOT_BYTES = 24;
    static final long NONE = -1;

    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final int SECOND = 8;
    private static final int OFFSET = 16;

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment slots;
    private final long capacity;
    private final long most;
    private final MessageDigest digest;
    private final byte[] hash = new byte[32];
    private final ByteBuffer hashed = ByteBuffer.wrap(hash).order(ByteOrder.nativeOrder());
    private long entries;

    /// @param most how many keys it takes
    /// @param loadFactor how full it may get, above 0 and below 1
    OffsetMap(long most, double loadFactor) {
        this.most = most;
        this.capacity = (long) Math.ceil(most / loadFactor) + 1;
        this.slots = arena.allocate(capacity * SLOT_BYTES, Long.BYTES);
        try {
            this.digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }

    /// Of its memory.
    long sizeBytes() {
        return slots.byteSize();
    }

    /// How many keys more it takes.
    long left() {
        return most - entries;
    }

    /// How full it is, 0 to 1.
    double utilization() {
        return most == 0 ? 0 : (double) entries / most;
    }

    /// Notes `offset` for `key`, where it is not below what was noted before. There must be room.
    void put(ByteBuffer key, long offset) {
        long at = slotOf(key);
        if (slots.get(LONG, at + OFFSET) == 0) {
            slots.set(LONG, at, hashed.getLong(0));
            slots.set(LONG, at + SECOND, hashed.getLong(SECOND));
            entries++;
        }
        slots.set(LONG, at + OFFSET, offset + 1);
    }

    /// What was noted for `key`; [#NONE] where nothing was.
    long get(ByteBuffer key) {
        return slots.get(LONG, slotOf(key) + OFFSET) - 1;
    }

    private long slotOf(ByteBuffer key) {
        digest.update(key.duplicate());
        try {
            digest.digest(hash, 0, hash.length);
        } catch (DigestException impossible) {
            throw new IllegalStateException("32 bytes hold a SHA-256", impossible);
        }
        long first = hashed.getLong(0);
        long second = hashed.getLong(SECOND);
        long slot = Math.floorMod(first, capacity);
        while (true) {
            long at = slot * SLOT_BYTES;
            boolean empty = slots.get(LONG, at + OFFSET) == 0;
            if (empty || (slots.get(LONG, at) == first && slots.get(LONG, at + SECOND) == second)) {
                return at;
            }
            slot = slot + 1 == capacity ? 0 : slot + 1;
        }
    }

    @Override
    public void close() {
        arena.close();
    }
}
