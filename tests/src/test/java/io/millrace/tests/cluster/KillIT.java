package io.millrace.tests.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

import io.millrace.tests.compatibility.Kafka;
import io.millrace.tests.compatibility.Message;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/// Services other than brokers that die by KILL and come back, under a writer and a group that go on. [FaultsIT] is about
/// brokers, [OperationsIT] about the admin-api.
@DisturbsClusters
class KillIT {

    private final Cluster cluster;
    private final Kafka kafka;

    KillIT(Clusters clusters) {
        this.cluster = clusters.of(Mode.CLUSTER);
        this.kafka = new Kafka(cluster.bootstrap());
    }

    @Test
    void aCoordinatorThatDiesHandsItsGroupsOver() {
        survives("kill-coordinator-0", () -> bounce("coordinator", 1000));
        survives("kill-coordinator-1", () -> bounce("coordinator", 1001));
    }

    @Test
    void theStandbyControllerTakesOverWhenTheActiveOneDies() {
        int active = cluster.activeController();
        survives("kill-controller", () -> {
            cluster.kill("controller", active);
            kafka.create("created-after-the-controller-died", 2);
            kafka.produce("created-after-the-controller-died", Map.of(), List.of(Message.of("k", "v")));
            cluster.start("controller", active);
        });
        await().atMost(Kafka.LIMIT).untilAsserted(() -> assertThat(cluster.activeController()).isEqualTo(1 - active));
    }

    /// Kills the service, sees that it is gone, and starts it again.
    private void bounce(String role, int id) {
        cluster.kill(role, id);
        assertThat(cluster.status().service(role, id).state()).isEqualTo("down");
        cluster.start(role, id);
        // One that has come back may be given shards at once, and is not ready while it loads them.
        await().atMost(Kafka.LIMIT).until(() -> cluster.status().service(role, id).state().equals("ready"));
    }

    /// Writes and commits through the event, and reads back all that was acknowledged; after it, topics are made and groups
    /// joined as before.
    private void survives(String topic, Runnable event) {
        kafka.create(topic, 4);
        List<String> acknowledged;
        try (var writer = new Writer(kafka, topic)) {
            await().atMost(Kafka.LIMIT).until(() -> writer.count() > 100);
            long committed = commitSome(topic);

            event.run();

            int before = writer.count();
            await().atMost(Kafka.LIMIT).until(() -> writer.count() > before + 100);
            assertThat(committedOf(topic)).isEqualTo(committed);
            acknowledged = writer.finish();
        }
        assertThat(kafka.records(topic)).extracting(ConsumerRecord::value).doesNotHaveDuplicates().containsAll(
                acknowledged);
        kafka.create(topic + "-after", 2);
        kafka.produce(topic + "-after", Map.of(), List.of(Message.of("k", "v")));
        assertThat(commitSome(topic + "-after")).isEqualTo(1);
    }

    /// Reads something in a group and commits it.
    ///
    /// @return the sum of what is committed
    private long commitSome(String topic) {
        try (Consumer<String, String> consumer = group(topic)) {
            consumer.subscribe(List.of(topic));
            long end = System.nanoTime() + Kafka.LIMIT.toNanos();
            while (consumer.poll(Duration.ofMillis(200)).isEmpty()) {
                assertThat(System.nanoTime()).as("the group of %s reads", topic).isLessThan(end);
            }
            consumer.commitSync(Kafka.LIMIT);
        }
        return committedOf(topic);
    }

    private long committedOf(String topic) {
        try (Consumer<String, String> consumer = group(topic)) {
            var partitions = consumer.partitionsFor(topic).stream().map(it -> new TopicPartition(topic, it.partition()))
                    .collect(Collectors.toSet());
            return consumer.committed(partitions, Kafka.LIMIT).values().stream().filter(Objects::nonNull)
                    .mapToLong(it -> it.offset()).sum();
        }
    }

    private Consumer<String, String> group(String topic) {
        return kafka.consumer(Map.of("group.id", topic + "-group", "max.poll.records", 10));
    }
}
