package io.millrace.tests.compatibility;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;

import io.millrace.tests.cluster.Clusters;
import io.millrace.tests.cluster.Mode;
import io.millrace.tests.cluster.UsesClusters;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Kafka's newest Java client.
@ParameterizedClass
@EnumSource(Mode.class)
@UsesClusters
class JavaClientIT {

    private final Kafka kafka;
    private final String mode;

    JavaClientIT(Mode mode, Clusters clusters) {
        this.kafka = new Kafka(clusters.of(mode).bootstrap());
        this.mode = mode.name().toLowerCase(Locale.ROOT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "gzip", "snappy", "lz4", "zstd"})
    void everyShapeOfRecordComesBackAsItWasWritten(String codec) {
        String topic = "java-" + codec + "-" + mode;
        kafka.create(topic, 1);

        kafka.produce(topic, Map.of("compression.type", codec), Message.ofEveryShape());

        assertThat(kafka.readAll(topic)).isEqualTo(Message.ofEveryShape());
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "1", "all"})
    void everyKindOfAcknowledgementWrites(String acks) {
        String topic = "java-acks-" + acks + "-" + mode;
        kafka.create(topic, 3);

        kafka.produce(topic, Map.of("acks", acks, "enable.idempotence", false), Message.ofEveryShape());

        await().atMost(Kafka.LIMIT).untilAsserted(() -> assertThat(kafka.readAll(topic))
                .containsExactlyInAnyOrderElementsOf(Message.ofEveryShape()));
    }

    @Test
    void aTopicThatDoesNotExistIsMadeByTheFirstWrite() {
        String topic = "java-auto-created-" + mode;

        kafka.produce(topic, Map.of(), List.of(Message.of("k", "v")));

        assertThat(kafka.readAll(topic)).containsExactly(Message.of("k", "v"));
    }

    @Test
    void readingBeginsAtATimestamp() {
        String topic = "java-timestamp-" + mode;
        kafka.create(topic, 1);
        long first = System.currentTimeMillis() - Duration.ofHours(1).toMillis();
        try (Producer<String, String> producer = kafka.producer(Map.of())) {
            for (int i = 0; i < 100; i++) {
                producer.send(new ProducerRecord<>(topic, 0, first + i * 1000L, null, "v" + i));
            }
        }
        var partition = new TopicPartition(topic, 0);
        try (Consumer<String, String> consumer = kafka.consumer(Map.of())) {
            var found = there(consumer.offsetsForTimes(Map.of(partition, first + 41_500)).get(partition));
            assertThat(found.offset()).isEqualTo(42);
            assertThat(found.timestamp()).isEqualTo(first + 42_000);

            consumer.assign(List.of(partition));
            consumer.seek(partition, found.offset());

            assertThat(read(consumer, 58)).first().extracting(ConsumerRecord::value).isEqualTo("v42");
            assertThat(consumer.offsetsForTimes(Map.of(partition, first + 100_000))).containsEntry(partition, null);
        }
    }

    private static List<ConsumerRecord<String, String>> read(Consumer<String, String> consumer, int count) {
        List<ConsumerRecord<String, String>> records = new ArrayList<>();
        long end = System.nanoTime() + Kafka.LIMIT.toNanos();
        while (records.size() < count) {
            assertThat(System.nanoTime()).as("read %s of %s", records.size(), count).isLessThan(end);
            consumer.poll(Duration.ofMillis(200)).forEach(records::add);
        }
        return records;
    }

    @Test
    void threeMembersShareAGroupComeAndGo() {
        String topic = "java-members-" + mode;
        kafka.create(topic, 6);
        try (var first = new Member(kafka, topic)) {
            await().atMost(Kafka.LIMIT).until(() -> first.assigned() == 6);
            try (var second = new Member(kafka, topic); var third = new Member(kafka, topic)) {
                await().atMost(Kafka.LIMIT).until(
                        () -> first.assigned() == 2 && second.assigned() == 2 && third.assigned() == 2);
                kafka.produce(topic, Map.of(), numbered(0, 600));
                await().atMost(Kafka.LIMIT).until(() -> first.read() + second.read() + third.read() >= 600);
                Set<String> values = new HashSet<>(first.values());
                values.addAll(second.values());
                values.addAll(third.values());
                assertThat(values).hasSize(600);
            }
            await().atMost(Kafka.LIMIT).until(() -> first.assigned() == 6);
            kafka.produce(topic, Map.of(), numbered(600, 900));
            await().atMost(Kafka.LIMIT).untilAsserted(() -> assertThat(first.values()).contains("v899", "v600"));
            assertThat(first.values().stream().filter(it -> Integer.parseInt(it.substring(1)) >= 600)).hasSize(300);
        }
    }

    private static List<Message> numbered(int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> Message.of("k" + i, "v" + i)).toList();
    }

    @Test
    void committedOffsetsAreFoundAgainAndListedWithTheGroup() {
        String topic = "java-offsets-" + mode;
        String group = topic + "-group";
        kafka.create(topic, 2);
        var partition = new TopicPartition(topic, 1);
        try (Consumer<String, String> consumer = kafka.consumer(Map.of("group.id", group))) {
            consumer.assign(List.of(partition));
            consumer.commitSync(Map.of(partition, new OffsetAndMetadata(7, "a note")));
        }
        try (Consumer<String, String> consumer = kafka.consumer(Map.of("group.id", group));
                Admin admin = kafka.admin()) {
            OffsetAndMetadata committed = there(consumer.committed(Set.of(partition)).get(partition));
            assertThat(committed.offset()).isEqualTo(7);
            assertThat(committed.metadata()).isEqualTo("a note");
            assertThat(Kafka.await(admin.listGroups().all())).extracting(it -> it.groupId()).contains(group);
            Kafka.await(admin.deleteConsumerGroups(List.of(group)).all());
            assertThat(Kafka.await(admin.listGroups().all())).extracting(it -> it.groupId()).doesNotContain(group);
        }
    }

    @Test
    void aTopicIsDescribedGrownConfiguredAndDeleted() {
        String topic = "java-admin-" + mode;
        kafka.create(topic, 1);
        var resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        try (Admin admin = kafka.admin()) {
            Kafka.await(admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(4))).all());
            Kafka.await(admin.incrementalAlterConfigs(Map.of(resource, List.of(
                    new AlterConfigOp(new ConfigEntry("retention.ms", "3600000"), AlterConfigOp.OpType.SET)))).all());

            var described = there(Kafka.await(admin.describeTopics(List.of(topic)).allTopicNames()).get(topic));
            assertThat(described.partitions()).hasSize(4).allSatisfy(it -> assertThat(it.leader()).isNotNull());
            var configs = there(Kafka.await(admin.describeConfigs(List.of(resource)).all()).get(resource));
            assertThat(there(configs.get("retention.ms")).value()).isEqualTo("3600000");

            Kafka.await(admin.deleteTopics(List.of(topic)).all());
            assertThat(Kafka.await(admin.listTopics().names())).doesNotContain(topic);
        }
    }

    private static <T> T there(@Nullable T found) {
        return Objects.requireNonNull(found, "not in the answer");
    }

    @Test
    void everyNodeIsListedOnce() {
        try (Admin admin = kafka.admin()) {
            var nodes = Kafka.await(admin.describeCluster().nodes());
            assertThat(nodes).extracting(it -> it.id())
                    .containsExactlyInAnyOrderElementsOf(mode.equals("standalone")
                            ? List.of(0, 1000)
                            : List.of(0, 1, 2, 1000, 1001));
            assertThat(Kafka.await(admin.describeCluster().clusterId())).hasSize(22);
        }
    }
}
