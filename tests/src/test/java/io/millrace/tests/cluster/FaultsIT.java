package io.millrace.tests.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.tests.compatibility.Kafka;
import io.millrace.tests.load.Load;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Faults of single processes, under writers and readers of all kinds that go on.
@ExtendWith(Clusters.Extension.class)
class FaultsIT {

    private static final int REPLICAS = 1;

    private final Cluster cluster;
    private final Kafka kafka;

    FaultsIT(Clusters clusters) {
        this.cluster = clusters.of(Mode.CLUSTER);
        this.kafka = new Kafka(cluster.bootstrap());
    }

    @Test
    void aBrokerIsKilledAndComesBack() {
        survives("faults-kill", () -> {
            cluster.kill("broker", 0);
            cluster.start("broker", 0);
        });
    }

    private void survives(String topic, Runnable faults) {
        try (var load = Load.start(kafka, topic, REPLICAS)) {
            load.awaitProgress();
            faults.run();
            load.awaitProgress();
            var report = load.finish();
            System.out.println(topic + ": " + report.text() + " failures=" + load.failures());
            assertThat(report.violations()).as(report.text()).isEmpty();
            assertThat(load.failures()).isEmpty();
        }
    }
}
