package io.millrace.tests.compatibility;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

import io.millrace.tests.cluster.Cluster;
import io.millrace.tests.program.KafkaRelease;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// `kafka-reassign-partitions` of three ages, unmodified, on three brokers.
class ReassignmentToolsIT {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final int RECORDS = 300;

    private static Cluster cluster;
    private static Kafka kafka;

    @TempDir
    private Path folder;

    @BeforeAll
    static void start() {
        // A throttled replica may fetch once more whenever its bytes are out of the quota's windows: little, so that a
        // throttled move lasts as long as a test.
        cluster = Cluster.of("reassignment", List.of("--mode", "cluster", "--brokers", "3", "--set",
                "kafka.replica.fetch.max.bytes=" + (64 << 10))).up();
        kafka = new Kafka(cluster.bootstrap());
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @ParameterizedTest
    @MethodSource("io.millrace.tests.program.KafkaRelease#today")
    void partitionsAreMovedUnderAThrottleThatIsGoneInTheEnd(KafkaRelease release) {
        var topic = topic("moved", release);
        var tool = release.reassignPartitions().with("--bootstrap-server", cluster.bootstrap());
        create(topic, Map.of(0, List.of(0, 1), 1, List.of(1, 2)), "v");
        var plan = plan(topic, List.of(1, 2), List.of(2, 0));

        var generated = tool.with("--generate", "--topics-to-move-json-file", file("{\"topics\":[{\"topic\":\"" + topic
                + "\"}],\"version\":1}"), "--broker-list", "0,1,2").run().succeeded();
        assertThat(generated.out()).contains("Current partition replica assignment",
                "Proposed partition reassignment configuration", "\"topic\":\"" + topic + "\"");
        var executed = tool.with("--execute", "--reassignment-json-file", plan, "--throttle", "50000000").run()
                .succeeded();
        assertThat(executed.out()).contains("Successfully started partition reassignments for " + topic + "-0," + topic
                + "-1");
        await().atMost(LIMIT).untilAsserted(() -> assertThat(tool.with("--verify", "--reassignment-json-file", plan)
                .run().succeeded().out()).contains("Reassignment of partition " + topic + "-0 is complete",
                        "Reassignment of partition " + topic + "-1 is complete",
                        "Clearing topic-level throttles on topic " + topic));

        assertReplicas(topic, List.of(1, 2), List.of(2, 0));
        assertThat(kafka.readAll(topic)).hasSize(RECORDS);
        assertNoThrottles(topic);

        // What the tool told to save for a way back, with the log directories that it found.
        var back = file(executed.lines().stream().filter(line -> line.startsWith("{")).findFirst().orElseThrow());
        tool.with("--execute", "--reassignment-json-file", back).run().succeeded();
        assertReplicas(topic, List.of(0, 1), List.of(1, 2));
        assertThat(tool.with("--verify", "--reassignment-json-file", back).run().succeeded().out()).contains(
                "Reassignment of partition " + topic + "-0 is complete");
    }

    @ParameterizedTest
    @MethodSource("io.millrace.tests.program.KafkaRelease#today")
    void moveThatRunsIsListedAddedToAndCalledOff(KafkaRelease release) {
        var topic = topic("called-off", release);
        var tool = release.reassignPartitions().with("--bootstrap-server", cluster.bootstrap());
        create(topic, Map.of(0, List.of(0, 1), 1, List.of(1, 0)), "v".repeat(20_000));
        var first = plan(topic, List.of(2, 1));
        var both = plan(topic, List.of(2, 1), List.of(2, 0));

        // At this rate a new replica would not catch up today.
        tool.with("--execute", "--reassignment-json-file", first, "--throttle", "1000").run().succeeded();
        assertThat(tool.with("--list").run().succeeded().out()).contains(topic + "-0: replicas: 2,1,0. adding: 2. "
                + "removing: 0.");
        assertThat(tool.with("--execute", "--reassignment-json-file", both).run().exitCode()).isNotZero();
        tool.with("--execute", "--additional", "--reassignment-json-file", both, "--throttle", "1000").run()
                .succeeded();
        assertThat(tool.with("--list").run().succeeded().out()).contains(topic + "-1: replicas: 2,0,1. adding: 2. "
                + "removing: 1.");
        assertThat(tool.with("--verify", "--preserve-throttles", "--reassignment-json-file", both).run().succeeded()
                .out()).contains("Reassignment of partition " + topic + "-0 is still in progress.");
        assertThat(tool.with("--cancel", "--reassignment-json-file", both).run().succeeded().out()).contains(
                "Successfully cancelled partition reassignments for: " + topic + "-0," + topic + "-1");
        assertThat(tool.with("--list").run().succeeded().out()).contains("No partition reassignments found.");

        assertReplicas(topic, List.of(1, 0), List.of(0, 1));
        assertThat(kafka.readAll(topic)).hasSize(RECORDS);
    }

    @Test
    void oldToolMovesPartitionsThroughItsNodeAndChangesTheirNumberOfReplicas() {
        var topic = topic("old", KafkaRelease.KAFKA_2_6);
        var tool = KafkaRelease.KAFKA_2_6.reassignPartitions().with("--zookeeper", cluster.status().zookeeper());
        create(topic, Map.of(0, List.of(0, 1), 1, List.of(1, 2)), "v");
        var plan = plan(topic, List.of(2, 0), List.of(0, 1, 2));

        assertThat(tool.with("--generate", "--topics-to-move-json-file", file("{\"topics\":[{\"topic\":\"" + topic
                + "\"}],\"version\":1}"), "--broker-list", "0,1,2").run().succeeded().out()).contains(
                        "Proposed partition reassignment configuration");
        tool.with("--execute", "--reassignment-json-file", plan, "--throttle", "50000000").run().succeeded();
        await().atMost(LIMIT).untilAsserted(() -> assertThat(tool.with("--verify", "--reassignment-json-file", plan)
                .run().succeeded().out()).contains("Reassignment of partition " + topic + "-0 is complete",
                        "Reassignment of partition " + topic + "-1 is complete", "Clearing topic-level throttles"));

        assertReplicas(topic, List.of(2, 0), List.of(0, 1, 2));
        assertThat(kafka.readAll(topic)).hasSize(RECORDS);
        assertNoThrottles(topic);
    }

    private static String topic(String what, KafkaRelease release) {
        return "reassign-" + what + "-" + release.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static void create(String topic, Map<Integer, List<Integer>> assignments, String value) {
        kafka.create(new NewTopic(topic, assignments));
        kafka.produce(topic, Map.of(), IntStream.range(0, RECORDS).mapToObj(i -> Message.of("k" + i, value)).toList());
    }

    private String plan(String topic, List<?>... replicas) {
        var partitions = new ArrayList<String>();
        for (int partition = 0; partition < replicas.length; partition++) {
            partitions.add("{\"topic\":\"%s\",\"partition\":%d,\"replicas\":%s}".formatted(topic, partition,
                    replicas[partition]));
        }
        return file("{\"version\":1,\"partitions\":" + partitions + "}");
    }

    private String file(String json) {
        try {
            return Files.writeString(Files.createTempFile(folder, "plan", ".json"), json).toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void assertReplicas(String topic, List<?>... replicas) {
        await().atMost(LIMIT).untilAsserted(() -> {
            try (var admin = kafka.admin()) {
                var described = Kafka.await(admin.describeTopics(List.of(topic)).topicNameValues().values().iterator()
                        .next());
                var partitions = described.partitions();
                assertThat(partitions).extracting(partition -> partition.replicas().stream().map(Node::id).toList())
                        .isEqualTo(List.of(replicas));
                assertThat(partitions).allSatisfy(partition -> {
                    assertThat(partition.isr()).hasSameElementsAs(partition.replicas());
                    assertThat(partition.replicas()).contains(partition.leader());
                });
                assertThat(Kafka.await(admin.listPartitionReassignments(Set.of(new TopicPartition(topic, 0)))
                        .reassignments())).isEmpty();
            }
        });
    }

    private static void assertNoThrottles(String topic) {
        try (var admin = kafka.admin()) {
            var resources = List.of(new ConfigResource(ConfigResource.Type.TOPIC, topic), new ConfigResource(
                    ConfigResource.Type.BROKER, "0"), new ConfigResource(ConfigResource.Type.BROKER, "2"));
            Kafka.await(admin.describeConfigs(resources).all()).values().forEach(config -> assertThat(config.entries())
                    .filteredOn(entry -> entry.name().contains("replication.throttled"))
                    .allSatisfy(entry -> assertThat(entry.isDefault()).as("%s", entry).isTrue()));
        }
    }
}
