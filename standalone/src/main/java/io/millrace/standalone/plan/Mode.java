package io.millrace.standalone.plan;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// How the roles are spread over processes.
public enum Mode {
    /// Every role, and ZooKeeper, in one process.
    STANDALONE,
    /// A process for each instance, and one for ZooKeeper, as on real hosts.
    CLUSTER;

    /// The name on the command line.
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// @return the mode of that label, or empty
    public static Optional<Mode> labelled(String label) {
        return Arrays.stream(values()).filter(mode -> mode.label().equals(label)).findFirst();
    }
}
