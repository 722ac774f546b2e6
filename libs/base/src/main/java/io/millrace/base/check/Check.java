package io.millrace.base.check;

/// Conditions that a correct caller meets. A broken one is a bug, never an answer to a client.
public final class Check {
    private Check() {}

    /// @throws IllegalArgumentException where a caller passed what it must not pass
    public static void argument(boolean holds, String message, Object... ids) {
        if (!holds) {
            throw new IllegalArgumentException(message.formatted(ids));
        }
    }

    /// @throws IllegalStateException where this object is not in the state that the call needs
    public static void state(boolean holds, String message, Object... ids) {
        if (!holds) {
            throw new IllegalStateException(message.formatted(ids));
        }
    }
}
