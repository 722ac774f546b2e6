package io.millrace.tests.compatibility;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;

import io.millrace.tests.cluster.Clusters;
import io.millrace.tests.cluster.Mode;
import io.millrace.tests.cluster.UsesClusters;
import io.millrace.tests.program.KafkaRelease;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.ListGroupsOptions;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.GroupType;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.Test;

/// The consumer group protocol (KIP-848), with Kafka's newest Java client and tools.
@UsesClusters
class ConsumerGroupsIT {
    private static final Map<String, Object> CONSUMER = Map.of("group.protocol", "consumer");
    private static final Map<String, Object> CLASSIC = Map.of("partition.assignment.strategy",
            "org.apache.kafka.clients.consumer.CooperativeStickyAssignor");

    private final Kafka kafka;

    ConsumerGroupsIT(Clusters clusters) {
        kafka = new Kafka(clusters.of(Mode.CLUSTER).bootstrap());
    }

    @Test
    void membersComeAndGoAndOperatorsSeeThemSo() {
        String topic = "consumer-members";
        String group = topic + "-group";
        kafka.create(topic, 6);
        try (Admin admin = kafka.admin(); var first = new Member(kafka, topic, CONSUMER)) {
            await().atMost(Kafka.LIMIT).until(() -> first.assigned() == 6);
            try (var second = new Member(kafka, topic, CONSUMER); var third = new Member(kafka, topic, CONSUMER)) {
                await().atMost(Kafka.LIMIT).until(
                        () -> first.assigned() == 2 && second.assigned() == 2 && third.assigned() == 2);
                kafka.produce(topic, Map.of(), IntStream.range(0, 300).mapToObj(i -> Message.of("k" + i, "v" + i))
                        .toList());
                Set<String> values = new HashSet<>();
                await().atMost(Kafka.LIMIT).until(() -> {
                    List.of(first, second, third).forEach(member -> values.addAll(member.values()));
                    return values.size() == 300;
                });
                assertThat(describe(admin, group)).satisfies(described -> {
                    assertThat(described.type()).isEqualTo(GroupType.CONSUMER);
                    assertThat(described.groupState()).isEqualTo(GroupState.STABLE);
                    assertThat(described.members()).hasSize(3);
                });
                assertThat(Kafka.await(admin.listGroups(new ListGroupsOptions().withTypes(Set.of(GroupType.CONSUMER)))
                        .all())).extracting(listed -> listed.groupId()).contains(group);
                var tool = KafkaRelease.KAFKA_4_4.consumerGroups().with("--bootstrap-server", kafka.bootstrap());
                assertThat(tool.with("--describe", "--group", group, "--members", "--verbose").run().succeeded().out())
                        .contains("CURRENT-EPOCH", topic);
                assertThat(tool.with("--describe", "--group", group, "--state").run().succeeded().out()).contains(
                        "uniform", "Stable");
            }
            await().atMost(Kafka.LIMIT).until(() -> first.assigned() == 6);
        }
        try (Admin admin = kafka.admin()) {
            await().atMost(Kafka.LIMIT).until(() -> describe(admin, group).groupState() == GroupState.EMPTY);
            Kafka.await(admin.deleteConsumerGroups(List.of(group)).all());
            assertThat(Kafka.await(admin.listGroups().all())).extracting(listed -> listed.groupId()).doesNotContain(
                    group);
        }
    }

    @Test
    void aGroupChangesItsProtocolAndBackWhileItReads() {
        String topic = "consumer-migration";
        String group = topic + "-group";
        kafka.create(topic, 4);
        try (Admin admin = kafka.admin()) {
            var old = new Member(kafka, topic, CLASSIC);
            await().atMost(Kafka.LIMIT).until(() -> old.assigned() == 4);
            var fresh = new Member(kafka, topic, CONSUMER);
            await().atMost(Kafka.LIMIT).until(() -> old.assigned() == 2 && fresh.assigned() == 2);
            assertThat(describe(admin, group).type()).isEqualTo(GroupType.CONSUMER);
            old.close();
            await().atMost(Kafka.LIMIT).until(() -> fresh.assigned() == 4);
            var back = new Member(kafka, topic, CLASSIC);
            await().atMost(Kafka.LIMIT).until(() -> back.assigned() == 2 && fresh.assigned() == 2);
            fresh.close();
            await().atMost(Kafka.LIMIT).until(() -> back.assigned() == 4);
            assertThat(describe(admin, group).type()).isEqualTo(GroupType.CLASSIC);
            kafka.produce(topic, Map.of(), List.of(Message.of("k", "v")));
            await().atMost(Kafka.LIMIT).until(() -> back.values().contains("v"));
            back.close();
        }
    }

    @Test
    void aGroupHasSettingsOfItsOwn() {
        var resource = new ConfigResource(ConfigResource.Type.GROUP, "consumer-settings");
        try (Admin admin = kafka.admin()) {
            Kafka.await(admin.incrementalAlterConfigs(Map.of(resource, List.of(new AlterConfigOp(new ConfigEntry(
                    "consumer.session.timeout.ms", "50000"), AlterConfigOp.OpType.SET)))).all());

            var described = Objects.requireNonNull(Kafka.await(admin.describeConfigs(List.of(resource)).all()).get(
                    resource));

            assertThat(Objects.requireNonNull(described.get("consumer.session.timeout.ms")).value()).isEqualTo("50000");
            assertThat(Objects.requireNonNull(described.get("consumer.heartbeat.interval.ms")).value()).isEqualTo(
                    "5000");
        }
    }

    private static ConsumerGroupDescription describe(Admin admin, String group) {
        return Objects.requireNonNull(Kafka.await(admin.describeConsumerGroups(List.of(group)).all()).get(group));
    }
}
