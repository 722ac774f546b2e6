package io.millrace.tests.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.millrace.tests.compatibility.Kafka;
import io.millrace.tests.compatibility.Message;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Administration by REST goes on whoever dies meanwhile: partitions are on their way, so slowly that they do not arrive
/// while everybody who has to do with it is killed in turn; settings are changed and leaders elected between these deaths.
@DisturbsClusters
class OperationsIT {

    private static final String TOPIC = "operations-moved";
    private static final String SLOWLY = "20000";
    /// Dozens of fetches: a throttle lets each of them go at once, and then none for a while.
    private static final int RECORDS = 1_000;
    private static final String VALUE = "v".repeat(50_000);

    private final Cluster cluster;
    private final Kafka kafka;
    private final Replicas replicas;
    private final Trial trial;

    OperationsIT(Clusters clusters) {
        this.cluster = clusters.of(Mode.CLUSTER);
        this.kafka = new Kafka(cluster.bootstrap());
        this.replicas = new Replicas(kafka);
        this.trial = new Trial(kafka);
    }

    @Tag("long")
    @Test
    void aThrottledMoveArrivesAndLeavesNoThrottleThoughControllerBrokersAndAdminApiDie() {
        var rest = new Rest(cluster.status().admin());
        kafka.create(new NewTopic(TOPIC, Map.of(0, List.of(0, 1), 1, List.of(1, 0))));
        var written = IntStream.range(0, RECORDS).mapToObj(i -> Message.of("k" + i, i + VALUE)).toList();
        kafka.produce(TOPIC, Map.of(), written);

        trial.survives("operations-load", load -> {
            String operation = "operations/" + begin(rest);
            awaitCopying(rest, operation);

            int controller = cluster.activeController();
            cluster.kill("controller", controller);
            set(rest, "retention.ms", "86400000");
            assertThat(state(rest, operation)).isEqualTo("RUNNING");
            cluster.start("controller", controller);

            cluster.kill("broker", 2);
            await().atMost(Kafka.LIMIT).untilAsserted(() -> assertThat(rest.get(operation).at("/partitions")
                    .valueStream().map(it -> it.path("reason").asString(""))).contains("BROKER_NOT_AVAILABLE"));
            set(rest, "segment.ms", "43200000");
            cluster.start("broker", 2);

            cluster.kill("admin", 0);
            load.awaitProgress();
            cluster.start("admin", 0);
            assertThat(state(rest, operation)).isEqualTo("RUNNING");

            cluster.kill("broker", 1);
            load.awaitProgress();
            cluster.start("broker", 1);
            awaitPreferredLeaders(rest, load.topic());

            rest.send("PATCH", operation, "{\"throttle_bytes_per_sec\":0}");
            await().atMost(Kafka.LIMIT).untilAsserted(() -> assertThat(state(rest, operation)).isEqualTo("COMPLETED"));
        });

        assertThat(replicas.partitions(TOPIC)).extracting(it -> it.replicas().stream().map(Node::id).toList())
                .containsExactly(List.of(2, 1), List.of(2, 0));
        assertThat(kafka.readAll(TOPIC)).containsExactlyInAnyOrderElementsOf(written);
        assertThat(changedSettings()).containsExactlyInAnyOrder("retention.ms=86400000", "segment.ms=43200000");
    }

    private static String begin(Rest rest) {
        return rest.send("POST", "reassignments", ("{\"partitions\":[{\"topic_name\":\"%1$s\",\"partition_id\":0,"
                + "\"replicas\":[2,1]},{\"topic_name\":\"%1$s\",\"partition_id\":1,\"replicas\":[2,0]}],"
                + "\"throttle_bytes_per_sec\":%2$s}").formatted(TOPIC, SLOWLY)).get("operation_id").stringValue();
    }

    /// Both partitions have begun.
    private static void awaitCopying(Rest rest, String operation) {
        await().atMost(Kafka.LIMIT).untilAsserted(() -> assertThat(rest.get(operation).at("/partitions").valueStream()
                .map(it -> it.get("state").stringValue())).containsExactly("COPYING", "COPYING"));
    }

    private static String state(Rest rest, String operation) {
        return rest.get(operation).get("state").stringValue();
    }

    /// Whoever asks while no controller is in office may have to ask again.
    private static void set(Rest rest, String name, String value) {
        await().atMost(Kafka.LIMIT).untilAsserted(() -> rest.send("PUT", "topics/" + TOPIC + "/configs/" + name,
                "{\"value\":\"" + value + "\"}"));
        assertThat(rest.get("topics/" + TOPIC + "/configs/" + name).get("value").stringValue()).isEqualTo(value);
    }

    /// Whoever was killed does not lead any more; once all are in sync an election brings everything back.
    private void awaitPreferredLeaders(Rest rest, String topic) {
        await().atMost(Kafka.LIMIT).untilAsserted(() -> {
            rest.send("POST", "leader-elections", "{\"election_type\":\"PREFERRED\",\"topics\":[\"" + topic + "\"]}");
            assertThat(replicas.partitions(topic)).allMatch(it -> it.leader().id() == it.replicas().getFirst().id());
        });
    }

    /// Those of the topic, and of any broker.
    private List<String> changedSettings() {
        var resources = List.of(new ConfigResource(ConfigResource.Type.TOPIC, TOPIC), broker("0"), broker("1"), broker(
                "2"));
        try (Admin admin = kafka.admin()) {
            return Kafka.await(admin.describeConfigs(resources).all()).entrySet().stream().flatMap(each -> each
                    .getValue().entries().stream().filter(entry -> entry
                            .source() == ConfigEntry.ConfigSource.DYNAMIC_TOPIC_CONFIG || entry
                                    .source() == ConfigEntry.ConfigSource.DYNAMIC_BROKER_CONFIG))
                    .map(entry -> entry.name() + "=" + entry.value()).toList();
        }
    }

    private static ConfigResource broker(String id) {
        return new ConfigResource(ConfigResource.Type.BROKER, id);
    }
}
