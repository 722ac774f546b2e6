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

    List<String> options() {
        return options.isEmpty() ? List.of() : List.of(options.split(" ", -1));
    }

    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
