package io.millrace.tests.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;

import io.millrace.tests.compatibility.Kafka;
import io.millrace.tests.compatibility.Message;
import io.millrace.tests.program.DumpedLogs;
import io.millrace.tests.program.KafkaRelease;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/// What all classes that shared the clusters have left in the logs, of brokers that run: Kafka's own tool reads it.
@UsesClusters
@Order(3)
class LogFilesIT {
    private final Cluster cluster;

    LogFilesIT(Clusters clusters) {
        this.cluster = clusters.of(Mode.CLUSTER);
    }

    @Test
    void kafkasToolHasNoComplaintOfWhatTheTestsHaveLeft() {
        var kafka = new Kafka(cluster.bootstrap());
        kafka.create("log-files", 1);
        kafka.produce("log-files", Map.of("compression.type", "zstd"), List.of(Message.of("k", "v".repeat(20_000)),
                Message.of("k", "v".repeat(20_000))));

        var files = DumpedLogs.below(cluster.data());

        assertThat(files.size()).isPositive();
        files.areReadWithoutComplaintBy(KafkaRelease.KAFKA_3_9);
    }
}
