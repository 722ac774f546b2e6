package io.millrace.coordinator.record;

import java.util.Arrays;

/// Bytes of a member that only the clients understand: a subscription or an assignment. Compared by content. The array
/// is shared, never copied; nobody writes to it.
public final class Bytes {
    /// No bytes at all.
    public static final Bytes EMPTY = new Bytes(new byte[0]);

    private final byte[] array;

    private Bytes(byte[] array) {
        this.array = array;
    }

    /// Takes `array` over: the caller must not write to it afterwards.
    public static Bytes of(byte[] array) {
        return array.length == 0 ? EMPTY : new Bytes(array);
    }

    /// The array itself; the caller must not write to it.
    public byte[] array() {
        return array;
    }

    /// Its size in bytes.
    public int size() {
        return array.length;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Bytes bytes && Arrays.equals(array, bytes.array);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(array);
    }

    @Override
    public String toString() {
        return array.length + " bytes";
    }
}
