package io.millrace.tests.compatibility;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Kafka's tools for settings, log directories, offsets and the cluster itself, unmodified, on a cluster of several processes.
@UsesClusters
class AdminToolsIT {
    private final Cluster cluster;
    private final Kafka kafka;
    private final String bootstrap;

    @TempDir
    private Path folder;

    AdminToolsIT(Clusters clusters) {
        cluster = clusters.of(Mode.CLUSTER);
        bootstrap = cluster.bootstrap();
        kafka = new Kafka(bootstrap);
    }

    private static String topic(String what, KafkaRelease release) {
        return what + "-" + release.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    @ParameterizedTest
    @EnumSource(value = KafkaRelease.class, names = {"KAFKA_3_9", "KAFKA_4_4"})
    void settingsOfBrokersChangeWhileTheyRunAndTheirTopicsGoByThem(KafkaRelease release) {
        var topic = topic("tools-settings", release);
        kafka.create(topic, 1);
        var configs = release.configs().with("--bootstrap-server", bootstrap);
        var defaults = configs.with("--entity-type", "brokers", "--entity-default");

        defaults.with("--alter", "--add-config", "log.segment.bytes=1048577").run().succeeded();
        assertThat(defaults.with("--describe").run().succeeded().out()).contains("log.segment.bytes=1048577");
        assertThat(configs.with("--entity-type", "topics", "--entity-name", topic, "--describe", "--all").run()
                .succeeded().out()).contains("segment.bytes=1048577", "DYNAMIC_DEFAULT_BROKER_CONFIG");
        var one = configs.with("--entity-type", "brokers", "--entity-name", "1");
        one.with("--alter", "--add-config", "max.connections=4321").run().succeeded();
        assertThat(one.with("--describe").run().succeeded().out()).contains("max.connections=4321");
        one.with("--alter", "--delete-config", "max.connections").run().succeeded();
        defaults.with("--alter", "--delete-config", "log.segment.bytes").run().succeeded();
        assertThat(defaults.with("--describe").run().succeeded().out()).doesNotContain("log.segment.bytes");
        assertThat(one.with("--alter", "--add-config", "log.retention.hours=1").run().all()).contains(
                "Cannot update these configs dynamically");
    }

    @Test
    void levelsOfLoggersChangeWhileABrokerRuns() {
        var loggers = KafkaRelease.KAFKA_4_4.configs().with("--bootstrap-server", bootstrap, "--entity-type",
                "broker-loggers", "--entity-name", "2");
        loggers.with("--alter", "--add-config", "io.millrace.broker=DEBUG").run().succeeded();
        assertThat(loggers.with("--describe").run().succeeded().out()).contains("io.millrace.broker=DEBUG", "root=");
        loggers.with("--alter", "--delete-config", "io.millrace.broker").run().succeeded();
        assertThat(loggers.with("--describe").run().succeeded().out()).doesNotContain("io.millrace.broker=DEBUG");
    }

    @ParameterizedTest
    @EnumSource(value = KafkaRelease.class, names = {"KAFKA_2_6", "KAFKA_4_4"})
    void recordsAreDeletedAndOffsetsAndDirectoriesSayWhatIsLeft(KafkaRelease release) throws IOException {
        var topic = topic("tools-deleted", release);
        kafka.create(topic, 1);
        kafka.produce(topic, Map.of(), List.of(Message.of("a", "1"), Message.of("b", "2"), Message.of("c", "3")));
        var file = Files.writeString(folder.resolve("offsets.json"),
                "{\"version\":1,\"partitions\":[{\"topic\":\"%s\",\"partition\":0,\"offset\":2}]}".formatted(topic));

        assertThat(release.deleteRecords().with("--bootstrap-server", bootstrap, "--offset-json-file", file.toString())
                .run().succeeded().out()).contains("low_watermark: 2");

        var old = release == KafkaRelease.KAFKA_2_6;
        var offsets = release.getOffsets().with(old ? "--broker-list" : "--bootstrap-server", bootstrap, "--topic",
                topic, "--time");
        assertThat(offsets.with("-2").run().succeeded().out()).contains(topic + ":0:2");
        assertThat(offsets.with("-1").run().succeeded().out()).contains(topic + ":0:3");
        assertThat(release.logDirs().with("--bootstrap-server", bootstrap, "--describe", "--topic-list", topic).run()
                .succeeded().out()).contains("\"partition\":\"" + topic + "-0\"", "\"error\":null");
    }

    @Test
    void clusterTellsItsIdItsFeaturesAndItsApis() {
        var release = KafkaRelease.KAFKA_4_4;
        assertThat(release.cluster().with("cluster-id", "--bootstrap-server", bootstrap).run().succeeded().out())
                .contains("Cluster ID: ");
        assertThat(release.brokerApiVersions().with("--bootstrap-server", bootstrap).run().succeeded().out()).contains(
                "Fetch(1)", "IncrementalAlterConfigs(44)");
        release.features().with("--bootstrap-server", bootstrap, "describe").run().succeeded();
    }

    @Test
    void settingsThatAnOldToolWritesIntoZooKeeperHold() {
        var topic = topic("tools-zookeeper", KafkaRelease.KAFKA_2_6);
        kafka.create(topic, 1);
        var old = KafkaRelease.KAFKA_2_6;
        Program configs = old.configs().with("--zookeeper", cluster.status().zookeeper(), "--entity-type", "topics",
                "--entity-name", topic);

        configs.with("--alter", "--add-config", "retention.ms=7654321").run().succeeded();
        assertThat(configs.with("--describe").run().succeeded().out()).contains("retention.ms=7654321");
        await().atMost(Kafka.LIMIT).untilAsserted(() -> assertThat(KafkaRelease.KAFKA_4_4.configs().with(
                "--bootstrap-server", bootstrap, "--entity-type", "topics", "--entity-name", topic, "--describe").run()
                .succeeded().out()).contains("retention.ms=7654321"));
        configs.with("--alter", "--delete-config", "retention.ms").run().succeeded();
        assertThat(old.topics().with("--zookeeper", cluster.status().zookeeper(), "--describe",
                "--topics-with-overrides").run().succeeded().out()).doesNotContain(topic);
        assertThat(old.topics().with("--zookeeper", cluster.status().zookeeper(), "--alter", "--topic", topic,
                "--partitions", "2").run().succeeded().out()).contains("succeeded");
    }
}
