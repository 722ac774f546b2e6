package io.millrace.tests.compatibility;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.millrace.tests.cluster.Cluster;
import io.millrace.tests.cluster.Clusters;
import io.millrace.tests.cluster.Mode;
import io.millrace.tests.cluster.UsesClusters;
import io.millrace.tests.program.KafkaRelease;
import io.millrace.tests.program.Program;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/// The tools of the time when they wrote to ZooKeeper themselves.
@ParameterizedClass
@MethodSource("io.millrace.tests.cluster.Mode#enough")
@UsesClusters
class ZooKeeperToolsIT {

    private final Kafka kafka;
    private final Program topics;
    private final String mode;

    ZooKeeperToolsIT(Mode mode, Clusters clusters) {
        Cluster cluster = clusters.of(mode);
        this.kafka = new Kafka(cluster.bootstrap());
        this.topics = KafkaRelease.KAFKA_2_6.topics().with("--zookeeper", cluster.status().zookeeper());
        this.mode = mode.name().toLowerCase(Locale.ROOT);
    }

    @Test
    void aTopicOfOursIsListedAndDescribed() {
        String topic = "zookeeper-ours-" + mode;
        kafka.create(topic, 3);

        assertThat(topics.with("--list").run().succeeded().lines()).contains(topic);
        assertThat(topics.with("--describe", "--topic", topic).run().succeeded().out()).contains("PartitionCount: 3",
                "Leader: 0", "Isr: 0");
    }

    @Test
    void aTopicThatIsCreatedThereCanBeUsedAndDeleted() {
        String topic = "zookeeper-theirs-" + mode;

        topics.with("--create", "--topic", topic, "--partitions", "2", "--replication-factor", "1").run().succeeded();
        await().atMost(Kafka.LIMIT).untilAsserted(() -> {
            try (var admin = kafka.admin()) {
                assertThat(Kafka.await(admin.listTopics().names())).contains(topic);
            }
        });
        kafka.produce(topic, Map.of(), List.of(Message.of("k", "v")));
        assertThat(kafka.readAll(topic)).containsExactly(Message.of("k", "v"));

        topics.with("--delete", "--topic", topic).run().succeeded();
        await().atMost(Kafka.LIMIT)
                .untilAsserted(() -> assertThat(topics.with("--list").run().succeeded().lines())
                        .noneMatch(line -> line.startsWith(topic)));
    }
}
