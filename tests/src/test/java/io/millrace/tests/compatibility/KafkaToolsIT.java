package io.millrace.tests.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.millrace.tests.cluster.Clusters;
import io.millrace.tests.cluster.Mode;
import io.millrace.tests.cluster.UsesClusters;
import io.millrace.tests.program.KafkaRelease;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Kafka's command-line tools.
@ParameterizedClass
@EnumSource(value = Mode.class, names = "CLUSTER")
@UsesClusters
class KafkaToolsIT {

    private final String bootstrap;
    private final String mode;

    KafkaToolsIT(Mode mode, Clusters clusters) {
        this.bootstrap = clusters.of(mode).bootstrap();
        this.mode = mode.name().toLowerCase(Locale.ROOT);
    }

    @ParameterizedTest
    @MethodSource("io.millrace.tests.program.KafkaRelease#today")
    void topicsAreCreatedListedDescribedAlteredAndDeleted(KafkaRelease release) {
        String topic = topic("tools-topics", release);
        var topics = release.topics().with("--bootstrap-server", bootstrap);

        topics.with("--create", "--topic", topic, "--partitions", "2", "--replication-factor", "1", "--config",
                "retention.ms=3600000").run().succeeded();

        assertThat(topics.with("--list").run().succeeded().lines()).contains(topic);
        assertThat(topics.with("--describe", "--topic", topic).run().succeeded().out()).contains("PartitionCount: 2",
                "ReplicationFactor: 1", "retention.ms=3600000");
        topics.with("--alter", "--topic", topic, "--partitions", "3").run().succeeded();
        assertThat(topics.with("--describe", "--topic", topic).run().succeeded().out()).contains("PartitionCount: 3");
        topics.with("--delete", "--topic", topic).run().succeeded();
        assertThat(topics.with("--list").run().succeeded().lines()).doesNotContain(topic);
    }

    @ParameterizedTest
    @EnumSource(value = KafkaRelease.class, names = {"KAFKA_3_9", "KAFKA_4_4"})
    void whatTheConsoleProducerWritesTheConsoleConsumerReadsAndItsGroupIsDescribed(KafkaRelease release) {
        String topic = topic("tools-console", release);
        String group = topic + "-group";
        new Kafka(bootstrap).create(topic, 1);
        String lines = IntStream.range(0, 50).mapToObj(i -> "line " + i + "\n").collect(Collectors.joining());

        release.consoleProducer().with("--bootstrap-server", bootstrap, "--topic", topic).run(lines).succeeded();
        var read = release.consoleConsumer().with("--bootstrap-server", bootstrap, "--topic", topic, "--group", group,
                "--from-beginning", "--max-messages", "50", "--timeout-ms", "60000").run().succeeded();

        assertThat(read.out()).isEqualTo(lines);
        var groups = release.consumerGroups().with("--bootstrap-server", bootstrap);
        assertThat(groups.with("--list").run().succeeded().lines()).contains(group);
        assertThat(groups.with("--describe", "--group", group).run().succeeded().out())
                .containsPattern(group + "\\s+" + topic + "\\s+0\\s+50\\s+50\\s+0");
        groups.with("--reset-offsets", "--group", group, "--topic", topic, "--to-offset", "10", "--execute").run()
                .succeeded();
        assertThat(groups.with("--describe", "--group", group).run().succeeded().out())
                .containsPattern(group + "\\s+" + topic + "\\s+0\\s+10\\s+50\\s+40");
        groups.with("--delete", "--group", group).run().succeeded();
        assertThat(groups.with("--list").run().succeeded().lines()).doesNotContain(group);
    }

    @ParameterizedTest
    @MethodSource("io.millrace.tests.program.KafkaRelease#today")
    void thePerformanceToolsMoveEveryRecord(KafkaRelease release) {
        String topic = topic("tools-performance", release);
        new Kafka(bootstrap).create(topic, 3);

        var produced = release.producerPerformance().with("--topic", topic, "--num-records", "50000", "--record-size",
                "200",
                "--throughput", "-1", "--producer-props", "bootstrap.servers=" + bootstrap, "acks=all").run()
                .succeeded();
        assertThat(produced.out()).contains("50000 records sent");

        var consumed = release.consumerPerformance().with("--bootstrap-server", bootstrap, "--topic", topic,
                "--messages",
                "50000", "--timeout", "60000").run().succeeded();
        assertThat(consumed.lines().getLast().split(",\\s*", -1)[4]).isEqualTo("50000");
    }

    private String topic(String what, KafkaRelease release) {
        return what + "-" + release.name().toLowerCase(Locale.ROOT).replace('_', '-') + "-" + mode;
    }
}
