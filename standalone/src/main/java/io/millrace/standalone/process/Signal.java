package io.millrace.standalone.process;

import java.util.Arrays;
import java.util.Optional;

/// The signals that can be sent to a process of a cluster.
public enum Signal {
    KILL, STOP, CONT, TERM;

    /// @return the signal of that name, with or without `SIG` in front, or empty
    public static Optional<Signal> named(String name) {
        return Arrays.stream(values()).filter(it -> name.equals(it.name()) || name.equals("SIG" + it.name()))
                .findFirst();
    }
}
