package io.millrace.log.disk;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/// What is in one file, and what of it would be left without power. Its bytes are where a mapping of it reads and writes.
final class SimulatedFile {
    private static final byte[] NOTHING = {};

    private byte[] bytes = NOTHING;
    private int size;
    private byte[] durable = NOTHING;
    private boolean dirty;
    /// Whoever has a mapping writes without a word.
    private boolean mapped;
    private long modifiedMillis;

    byte[] bytes() {
        return bytes;
    }

    int size() {
        return size;
    }

    long modifiedMillis() {
        return modifiedMillis;
    }

    byte[] content() {
        return Arrays.copyOf(bytes, size);
    }

    void changed(long nowMillis) {
        dirty = true;
        modifiedMillis = nowMillis;
    }

    void mapped() {
        mapped = true;
    }

    /// What lies beyond the former size reads as zeroes.
    void resize(int wanted) {
        if (wanted > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(wanted, 2 * bytes.length));
        }
        if (wanted > size) {
            Arrays.fill(bytes, size, wanted, (byte) 0);
        }
        size = wanted;
        dirty = true;
    }

    void set(byte[] content) {
        bytes = content.clone();
        size = content.length;
        dirty = true;
    }

    void sync() {
        if (dirty || mapped) {
            durable = content();
            dirty = false;
        }
    }

    /// What was not synced is there in full, in part, torn, or not at all.
    void losePower(RandomGenerator random) {
        if (!dirty && !mapped) {
            return;
        }
        int same = Arrays.mismatch(bytes, 0, size, durable, 0, durable.length);
        int from = same < 0 ? size : Math.min(same, size);
        int cut = from + (size > from ? random.nextInt(size - from) : 0);
        switch (random.nextInt(4)) {
            case 0 -> {
                // All of it got to the disk in time.
            }
            case 1 -> resize(cut);
            case 2 -> Arrays.fill(bytes, cut, size, (byte) 0);
            default -> set(durable);
        }
        sync();
        mapped = false;
    }
}
