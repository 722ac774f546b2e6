package io.millrace.tests.cluster;

import java.util.List;
import java.util.Locale;

/// The two ways in which a cluster runs, as the shared clusters of the tests use them.
public enum Mode {
    STANDALONE(""), CLUSTER("--brokers 3 --coordinators 2 --controllers 2 --set kafka.replica.lag.time.max.ms=5000"
            + " --set kafka.controlled.shutdown.retry.backoff.ms=500"
            + " --set kafka.replica.selector.class=org.apache.kafka.common.replica.RackAwareReplicaSelector"
            + " --set broker-0:kafka.broker.rack=a --set broker-1:kafka.broker.rack=b --set broker-2:kafka.broker.rack=c");

    private final String options;

    Mode(String options) {
        this.options = options;
    }

    /// Those for tests that have little to do with how a cluster runs: the one with most between its services, and both where
    /// time does not matter (`-Plong`).
    public static List<Mode> enough() {
        return Boolean.getBoolean("millrace.long") ? List.of(values()) : List.of(CLUSTER);
    }

    List<String> options() {
        return options.isEmpty() ? List.of() : List.of(options.split(" ", -1));
    }

    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
