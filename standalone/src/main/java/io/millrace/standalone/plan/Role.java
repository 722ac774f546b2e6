package io.millrace.standalone.plan;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// The roles of a cluster, in the order in which they start; they stop the other way round.
public enum Role {
    ZOOKEEPER(0), CONTROLLER(0), BROKER(0), COORDINATOR(1000), ADMIN(0);

    private final int firstId;

    Role(int firstId) {
        this.firstId = firstId;
    }

    /// The id of the first instance; the others count up from it.
    public int firstId() {
        return firstId;
    }

    /// The name that people type and `status` prints.
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// @return the role of that label, or empty
    public static Optional<Role> labelled(String label) {
        return Arrays.stream(values()).filter(role -> role.label().equals(label)).findFirst();
    }
}
