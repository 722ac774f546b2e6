package io.millrace.tests.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

import io.millrace.tests.compatibility.Kafka;
import io.millrace.tests.program.DumpedLogs;
import io.millrace.tests.program.KafkaRelease;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Logs of brokers that have two log directories, few files open at a time, and a cleaner that hurries.
class StorageIT {
    private static final int COMMITS = 1500;
    private static final String OFFSETS = "__consumer_offsets";

    private static Cluster cluster;
    private static Kafka kafka;

    @TempDir
    private Path folder;

    @BeforeAll
    static void start() {
        cluster = Cluster.of("storage", List.of("--mode", "cluster", "--brokers", "2", "--coordinators", "2",
                "--controllers", "1", "--set", "kafka.log.cleaner.backoff.ms=200", "--set",
                "kafka.offsets.topic.num.partitions=4", "--set", "kafka.log.open.files.max=8"));
        cluster.tryUp("--set", "broker-0:kafka.log.dirs=" + directory(0, "a") + "," + directory(0, "b"), "--set",
                "broker-1:kafka.log.dirs=" + directory(1, "a") + "," + directory(1, "b")).succeeded();
        kafka = new Kafka(cluster.bootstrap());
    }

    @AfterAll
    static void stop() {
        try {
            DumpedLogs.below(cluster.data()).areReadWithoutComplaintBy(KafkaRelease.KAFKA_4_4);
        } finally {
            cluster.close();
        }
    }

    private static Path directory(int broker, String name) {
        return cluster.data().resolve("broker-" + broker).resolve(name);
    }

    @Test
    void offsetsAreRightAfterTheirTopicWasCompactedAndTheirCoordinatorsWereKilled() {
        kafka.create("read", 2);
        var first = new TopicPartition("read", 0);
        var second = new TopicPartition("read", 1);
        try (var consumer = kafka.consumer(Map.of("group.id", "many-commits"))) {
            consumer.assign(List.of(first, second));
            consumer.commitSync(Map.of(first, new OffsetAndMetadata(0, "begun")));
            compactSoon();
            for (int i = 1; i <= COMMITS; i++) {
                consumer.commitAsync(Map.of(first, new OffsetAndMetadata(i, "at " + i)), null);
            }
            consumer.commitSync(Map.of(first, new OffsetAndMetadata(COMMITS, "last"), second, new OffsetAndMetadata(7)));
        }

        await().atMost(Kafka.LIMIT).untilAsserted(() -> assertThat(kafka.records(OFFSETS)).hasSizeLessThan(COMMITS
                / 2));
        long committed = committed(Set.of(first)).get(first).offset();
        for (int coordinator = 1000; coordinator <= 1001; coordinator++) {
            cluster.kill("coordinator", coordinator);
            cluster.start("coordinator", coordinator);
        }

        assertThat(committed).isEqualTo(COMMITS);
        assertThat(committed(Set.of(first, second))).isEqualTo(Map.of(first, new OffsetAndMetadata(COMMITS, "last"),
                second, new OffsetAndMetadata(7)));
        for (var release : List.of(KafkaRelease.KAFKA_3_9, KafkaRelease.KAFKA_4_4)) {
            assertThat(newestByTheConsoleConsumer(release)).contains("[many-commits,read,0]",
                    "offset=" + COMMITS, "metadata=last").doesNotContain("offset=1,");
        }
    }

    /// A segment of some commits; what is not in the last one is compacted.
    private static void compactSoon() {
        var changes = Map.of("segment.bytes", "20000", "min.cleanable.dirty.ratio", "0.01", "segment.ms", "1000")
                .entrySet().stream().map(it -> new AlterConfigOp(new ConfigEntry(it.getKey(), it.getValue()),
                        AlterConfigOp.OpType.SET)).toList();
        try (var admin = kafka.admin()) {
            Kafka.await(admin.incrementalAlterConfigs(Map.of(new ConfigResource(ConfigResource.Type.TOPIC, OFFSETS),
                    (Collection<AlterConfigOp>) changes)).all());
        }
    }

    private static Map<TopicPartition, OffsetAndMetadata> committed(Set<TopicPartition> partitions) {
        try (var consumer = kafka.consumer(Map.of("group.id", "many-commits"))) {
            return consumer.committed(partitions, Kafka.LIMIT).entrySet().stream().collect(Collectors.toMap(
                    Map.Entry::getKey, it -> {
                        var told = Objects.requireNonNull(it.getValue());
                        return new OffsetAndMetadata(told.offset(), told.metadata());
                    }));
        }
    }

    /// The last line about the first partition, which is what holds.
    private static String newestByTheConsoleConsumer(KafkaRelease release) {
        var formatter = release == KafkaRelease.KAFKA_4_4
                ? "org.apache.kafka.tools.consumer.OffsetsMessageFormatter"
                : "kafka.coordinator.group.GroupMetadataManager$OffsetsMessageFormatter";
        var read = release.consoleConsumer().with("--bootstrap-server", cluster.bootstrap(), "--topic", OFFSETS,
                "--from-beginning", "--formatter", formatter, "--timeout-ms", "8000", "--formatter-property",
                "print.key=true").run();
        return read.lines().stream().filter(line -> line.contains("many-commits")).filter(line -> line.contains(
                "read")).reduce((_, last) -> last).orElse(read.all());
    }

    @Test
    void kafkasToolMovesLogsFromOneDirectoryToAnotherUnderLoad() throws IOException {
        kafka.create(new NewTopic("moved", Map.of(0, List.of(0, 1), 1, List.of(1, 0))));
        var tool = KafkaRelease.KAFKA_3_9.reassignPartitions().with("--bootstrap-server", cluster.bootstrap());
        List<String> acknowledged;
        try (var writer = new Writer(kafka, "moved")) {
            await().atMost(Kafka.LIMIT).until(() -> writer.count() > 200);
            for (var name : List.of("b", "a")) {
                var plan = plan(name);
                tool.with("--execute", "--reassignment-json-file", plan).run().succeeded();
                await().atMost(Kafka.LIMIT).untilAsserted(() -> assertThat(tool.with("--verify",
                        "--reassignment-json-file", plan).run().succeeded().out()).contains(
                                "Reassignment of replica moved-0-0 completed successfully",
                                "Reassignment of replica moved-1-1 completed successfully"));
                assertThat(directory(0, name).resolve("moved-0")).isDirectory();
                assertThat(directory(1, name).resolve("moved-1")).isDirectory();
                int before = writer.count();
                await().atMost(Kafka.LIMIT).until(() -> writer.count() > before + 100);
            }
            acknowledged = writer.finish();
        }
        assertThat(kafka.records("moved")).extracting(ConsumerRecord::value).doesNotHaveDuplicates().containsAll(
                acknowledged);
    }

    private String plan(String name) throws IOException {
        var parts = new ArrayList<String>();
        for (int partition = 0; partition < 2; partition++) {
            int other = 1 - partition;
            parts.add("{\"topic\":\"moved\",\"partition\":%d,\"replicas\":[%d,%d],\"log_dirs\":[\"%s\",\"%s\"]}"
                    .formatted(partition, partition, other, directory(partition, name), directory(other, name)));
        }
        var file = folder.resolve(name + ".json");
        Files.writeString(file, "{\"version\":1,\"partitions\":[" + String.join(",", parts) + "]}");
        return file.toString();
    }
}
