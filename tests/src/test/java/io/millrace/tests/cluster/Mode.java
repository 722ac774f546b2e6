package io.millrace.tests.cluster;

import java.util.List;
import java.util.Locale;

/// The two ways in which a cluster runs, as the shared clusters of the tests use them.
public enum Mode {
    STANDALONE(""), CLUSTER("--brokers 2 --coordinators 2 --controllers 2");

    private final String options;

    Mode(String options) {
        this.options = options;
    }

    List<String> options() {
        return options.isEmpty() ? List.of() : List.of(options.split(" ", -1));
    }

    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
