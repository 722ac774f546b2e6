package io.millrace.tests.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

import io.millrace.tests.compatibility.Kafka;
import io.millrace.tests.program.KafkaRelease;
import io.millrace.tests.program.Program;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The walk that everybody took who began with Kafka in the days of ZooKeeper, with the tools of then: a replicated topic,
/// the death of broker 1, its return. What is compared is what the tools print.
@DisturbsClusters
class WalkThroughIT {

    private static final String TOPIC = "my-replicated-topic";
    private static final int BROKERS = 3;

    private final Cluster cluster;
    private final Program topics;
    private final Program shell;

    WalkThroughIT(Clusters clusters) {
        this.cluster = clusters.of(Mode.CLUSTER);
        String zookeeper = cluster.status().zookeeper();
        this.topics = KafkaRelease.KAFKA_2_6.topics().with("--zookeeper", zookeeper);
        this.shell = KafkaRelease.KAFKA_2_6.zooKeeperShell().with("-server", zookeeper);
    }

    /// A partition as its line of `--describe` has it.
    private record Line(int partition, int leader, List<Integer> replicas, List<Integer> isr) {

        @Override
        public String toString() {
            return "\tTopic: %s\tPartition: %d\tLeader: %d\tReplicas: %s\tIsr: %s".formatted(TOPIC, partition, leader,
                    ids(replicas), ids(isr));
        }

        private static String ids(List<Integer> ids) {
            return ids.stream().map(String::valueOf).collect(Collectors.joining(","));
        }

        /// Without broker 1: the first of the other replicas leads, and the order stays.
        Line afterTheDeathOfOne() {
            var left = replicas.stream().filter(it -> it != 1).toList();
            return new Line(partition, left.getFirst(), replicas, left);
        }

        /// Broker 1 is in sync again, as the newest, and the leader is as it was.
        Line afterTheReturnOfOne() {
            var all = new ArrayList<>(isr);
            all.add(1);
            return new Line(partition, leader, replicas, all);
        }
    }

    @Test
    void theClassicWalkThroughPrintsWhatItAlwaysPrinted() {
        assertThat(topics.with("--create", "--replication-factor", "3", "--partitions", "3", "--topic", TOPIC).run()
                .succeeded().lines()).containsExactly("Created topic " + TOPIC + ".");
        List<Line> atFirst = assignment().stream()
                .map(it -> new Line(it.partition(), it.replicas().getFirst(), it.replicas(), it.replicas())).toList();
        awaitDescribed(atFirst);
        assertThat(atFirst).extracting(Line::leader).containsExactlyInAnyOrder(0, 1, 2);
        produceAndConsume("first", "second");

        cluster.kill("broker", 1);
        List<Line> without = atFirst.stream().map(Line::afterTheDeathOfOne).toList();
        awaitDescribed(without);
        assertThat(topics.with("--describe", "--topic", TOPIC, "--under-replicated-partitions").run().succeeded()
                .lines()).containsExactlyElementsOf(without.stream().map(Line::toString).toList());
        stateIsKafkas(without);
        produceAndConsume("third", "fourth");

        cluster.start("broker", 1);
        List<Line> again = without.stream().map(Line::afterTheReturnOfOne).toList();
        awaitDescribed(again);
        stateIsKafkas(again);
        registrationsAreKafkas();
    }

    /// The assignment of replicas is drawn by the tool; the rest follows from it.
    private List<Line> assignment() {
        JsonNode assigned = read("/brokers/topics/" + TOPIC).get("partitions");
        var lines = new ArrayList<Line>();
        for (int partition = 0; partition < assigned.size(); partition++) {
            lines.add(new Line(partition, -1, ids(assigned.get(String.valueOf(partition))), List.of()));
        }
        return lines;
    }

    private static List<Integer> ids(JsonNode array) {
        return array.valueStream().map(JsonNode::intValue).toList();
    }

    private void awaitDescribed(List<Line> lines) {
        var expected = new ArrayList<>(List.of("Topic: " + TOPIC
                + "\tPartitionCount: 3\tReplicationFactor: 3\tConfigs: "));
        lines.forEach(it -> expected.add(it.toString()));
        await().atMost(Kafka.LIMIT).untilAsserted(() -> assertThat(topics.with("--describe", "--topic", TOPIC).run()
                .succeeded().lines()).containsExactlyElementsOf(expected));
    }

    private final List<String> written = new ArrayList<>();

    private void produceAndConsume(String... messages) {
        KafkaRelease.KAFKA_2_6.consoleProducer().with("--broker-list", cluster.bootstrap(), "--topic", TOPIC,
                "--request-required-acks", "all").run(String.join("\n", messages) + "\n").succeeded();
        written.addAll(List.of(messages));
        assertThat(KafkaRelease.KAFKA_2_6.consoleConsumer().with("--bootstrap-server", cluster.bootstrap(), "--topic",
                TOPIC, "--from-beginning", "--max-messages", String.valueOf(written.size()), "--timeout-ms", "60000")
                .run().succeeded().lines()).containsExactlyInAnyOrderElementsOf(written);
    }

    private void stateIsKafkas(List<Line> lines) {
        for (Line line : lines) {
            JsonNode state = read("/brokers/topics/" + TOPIC + "/partitions/" + line.partition() + "/state");
            assertThat(state.propertyNames()).containsExactlyInAnyOrder("version", "leader", "leader_epoch",
                    "controller_epoch", "isr");
            assertThat(state.get("version").intValue()).isEqualTo(1);
            assertThat(state.get("leader").intValue()).isEqualTo(line.leader());
            assertThat(ids(state.get("isr"))).isEqualTo(line.isr());
            assertThat(state.get("leader_epoch").intValue()).isEqualTo(line.leader() == line.replicas().getFirst()
                    ? 0
                    : 1);
        }
    }

    private void registrationsAreKafkas() {
        for (int id = 0; id < BROKERS; id++) {
            JsonNode broker = read("/brokers/ids/" + id);
            int port = cluster.portBase() + id;
            assertThat(broker.get("version").intValue()).isEqualTo(5);
            assertThat(broker.get("host").stringValue()).isEqualTo("127.0.0.1");
            assertThat(broker.get("port").intValue()).isEqualTo(port);
            assertThat(broker.get("endpoints").get(0).stringValue()).isEqualTo("PLAINTEXT://127.0.0.1:" + port);
            assertThat(broker.get("listener_security_protocol_map").get("PLAINTEXT").stringValue())
                    .isEqualTo("PLAINTEXT");
            assertThat(broker.get("jmx_port").isInt()).isTrue();
            assertThat(broker.get("timestamp").stringValue()).containsOnlyDigits();
        }
        JsonNode controller = read("/controller");
        assertThat(controller.get("brokerid").intValue()).isEqualTo(cluster.activeController());
        assertThat(controller.get("version").intValue()).isEqualTo(2);
        assertThat(controller.get("timestamp").stringValue()).containsOnlyDigits();
        assertThat(controller.get("kraftControllerEpoch").intValue()).isEqualTo(-1);
    }

    /// What `get PATH` prints, read as JSON.
    private JsonNode read(String path) {
        String json = shell.with("get", path).run().succeeded().out().lines().filter(it -> it.startsWith("{"))
                .findFirst().orElseThrow(() -> new AssertionError("no JSON at " + path));
        return JsonMapper.builder().build().readTree(json);
    }
}
