package io.millrace.log.batch;

/// Arithmetic on sequence numbers, which go from 0 to the largest `int` and then begin anew.
public final class Sequences {
    private Sequences() {}

    /// @param sequence not negative
    /// @param increment not negative
    public static int plus(int sequence, int increment) {
        return (int) (((long) sequence + increment) % (Integer.MAX_VALUE + 1L));
    }

    /// @param sequence not negative
    /// @param decrement not negative
    public static int minus(int sequence, int decrement) {
        return sequence >= decrement ? sequence - decrement : Integer.MAX_VALUE - (decrement - sequence) + 1;
    }

    /// Whether `next` comes right after `last`.
    public static boolean follows(int last, int next) {
        return next == last + 1L || (next == 0 && last == Integer.MAX_VALUE);
    }
}
