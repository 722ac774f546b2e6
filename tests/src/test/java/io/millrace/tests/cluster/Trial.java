package io.millrace.tests.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.Consumer;

import io.millrace.tests.compatibility.Kafka;
import io.millrace.tests.load.Load;

/// A topic with three replicas, under load before, during and after some faults, and what its clients must be able to say.
final class Trial {

    private static final int REPLICAS = 3;

    private final Kafka kafka;
    private final Replicas replicas;

    Trial(Kafka kafka) {
        this.kafka = kafka;
        this.replicas = new Replicas(kafka);
    }

    /// Fails unless all replicas come into sync after the faults, everybody goes on, no promise was broken and no record
    /// was given up.
    ///
    /// @param faults are healed when this returns
    void survives(String topic, Consumer<Load> faults) {
        try (var load = Load.start(kafka, topic, REPLICAS)) {
            load.awaitProgress();
            faults.accept(load);
            replicas.awaitAllInSync();
            load.awaitProgress();
            var report = load.finish();
            assertThat(report.violations()).as(report.text()).isEmpty();
            assertThat(load.failures()).as("records that clients gave up").isEmpty();
        }
    }
}
