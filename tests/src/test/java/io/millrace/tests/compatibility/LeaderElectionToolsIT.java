package io.millrace.tests.compatibility;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

import io.millrace.tests.cluster.Cluster;
import io.millrace.tests.cluster.Scrape;
import io.millrace.tests.program.KafkaRelease;
import org.apache.kafka.clients.admin.NewPartitionReassignment;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// `kafka-leader-election` and, before it, `kafka-preferred-replica-election`, unmodified, on three brokers whose leaders do
/// not go back by themselves.
class LeaderElectionToolsIT {
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private static Cluster cluster;
    private static Kafka kafka;

    @TempDir
    private Path folder;

    @BeforeAll
    static void start() {
        cluster = Cluster.of("elections", List.of("--mode", "cluster", "--brokers", "3", "--set",
                "kafka.auto.leader.rebalance.enable=false")).up();
        kafka = new Kafka(cluster.bootstrap());
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @ParameterizedTest
    @MethodSource("io.millrace.tests.program.KafkaRelease#today")
    void preferredLeadersOfNamedAndOfAllPartitionsLeadAgain(KafkaRelease release) {
        var topic = "preferred-" + release.name().toLowerCase(Locale.ROOT);
        var tool = release.leaderElection().with("--bootstrap-server", cluster.bootstrap(), "--election-type",
                "preferred");
        ledBySecond(topic, 3);

        var one = tool.with("--topic", topic, "--partition", "1").run().succeeded();
        assertThat(one.out()).contains("Successfully completed leader election (PREFERRED) for partitions " + topic
                + "-1");
        assertThat(leaders(topic)).containsExactly(1, 2, 1);
        assertThat(tool.with("--topic", topic, "--partition", "1").run().succeeded().out()).contains(
                "Valid replica already elected for partitions " + topic + "-1");
        var all = tool.with("--all-topic-partitions").run().succeeded();
        assertThat(all.out()).contains("Successfully completed leader election (PREFERRED) for partitions", topic
                + "-0", topic + "-2");

        assertThat(leaders(topic)).containsExactly(2, 2, 2);
    }

    @Test
    void oldToolHasPreferredLeadersElectedThroughItsNodeAndByTheProtocol() throws IOException {
        var topic = "preferred-old";
        ledBySecond(topic, 2);
        var file = Files.writeString(folder.resolve("elections.json"), "{\"partitions\":[{\"topic\":\"" + topic
                + "\",\"partition\":1},{\"topic\":\"" + topic + "\",\"partition\":7}]}").toString();
        var tool = KafkaRelease.KAFKA_2_6.leaderElection();
        var byZooKeeper = tool.with("--zookeeper", cluster.status().zookeeper());

        byZooKeeper.with("--path-to-json-file", file).run().succeeded();
        await().atMost(LIMIT).until(() -> leaders(topic).equals(List.of(1, 2)));
        byZooKeeper.run().succeeded();
        await().atMost(LIMIT).until(() -> leaders(topic).equals(List.of(2, 2)));
        ledBySecond("preferred-by-protocol", 2);
        tool.with("--bootstrap-server", cluster.bootstrap()).run().succeeded();

        assertThat(leaders("preferred-by-protocol")).containsExactly(2, 2);
    }

    @Test
    void uncleanElectionGivesAPartitionWithoutALeaderToAReplicaThatWasOutOfSync() {
        var topic = "unclean";
        kafka.create(new NewTopic(topic, Map.of(0, List.of(1, 2))).configs(Map.of("min.insync.replicas", "1")));
        cluster.kill("broker", 2);
        await().atMost(LIMIT).until(() -> isr(topic).equals(List.of(1)));
        kafka.produce(topic, Map.of(), List.of(Message.of("k", "lost")));
        cluster.kill("broker", 1);
        await().atMost(LIMIT).until(() -> leaders(topic).equals(List.of(-1)));
        cluster.start("broker", 2);
        var tool = KafkaRelease.KAFKA_4_4.leaderElection().with("--bootstrap-server", cluster.bootstrap(), "--topic",
                topic, "--partition", "0", "--election-type");

        assertThat(tool.with("preferred").run().exitCode()).isNotZero();
        assertThat(uncleanElections()).as("unclean elections that nobody allowed").isZero();
        assertThat(tool.with("unclean").run().succeeded().out()).contains(
                "Successfully completed leader election (UNCLEAN) for partitions " + topic + "-0");

        assertThat(leaders(topic)).containsExactly(2);
        assertThat(uncleanElections()).isEqualTo(1);
        kafka.produce(topic, Map.of(), List.of(Message.of("k", "kept")));
        cluster.start("broker", 1);
        await().atMost(LIMIT).until(() -> isr(topic).equals(List.of(2, 1)));
        assertThat(kafka.readAll(topic)).containsExactly(Message.of("k", "kept"));
    }

    private static double uncleanElections() {
        return Scrape.sum(cluster.status().services().stream().filter(it -> it.role().equals("controller")).map(
                it -> Objects.requireNonNull(it.http())),
                "kafka_controller_controllerstats_uncleanleaderelections_total");
    }

    /// Partitions led by broker 1, and then 2 is preferred: moves that change the order of replicas alone move no leader.
    private static void ledBySecond(String topic, int partitions) {
        var assignments = new HashMap<Integer, List<Integer>>();
        var moves = new HashMap<TopicPartition, Optional<NewPartitionReassignment>>();
        for (int partition = 0; partition < partitions; partition++) {
            assignments.put(partition, List.of(1, 2));
            moves.put(new TopicPartition(topic, partition), Optional.of(new NewPartitionReassignment(List.of(2, 1))));
        }
        kafka.create(new NewTopic(topic, assignments));
        try (var admin = kafka.admin()) {
            Kafka.await(admin.alterPartitionReassignments(moves).all());
        }
        await().atMost(LIMIT).untilAsserted(() -> assertThat(partitions(topic)).allSatisfy(partition -> {
            assertThat(ids(partition.replicas())).containsExactly(2, 1);
            assertThat(partition.leader().id()).isEqualTo(1);
        }));
    }

    private static List<Integer> leaders(String topic) {
        return partitions(topic).stream().map(partition -> partition.leader() == null ? -1 : partition.leader().id())
                .toList();
    }

    private static List<Integer> isr(String topic) {
        return ids(partitions(topic).getFirst().isr());
    }

    private static List<Integer> ids(List<Node> nodes) {
        return nodes.stream().map(Node::id).toList();
    }

    private static List<TopicPartitionInfo> partitions(String topic) {
        try (var admin = kafka.admin()) {
            return Kafka.await(admin.describeTopics(List.of(topic)).topicNameValues().values().iterator().next())
                    .partitions();
        }
    }
}
