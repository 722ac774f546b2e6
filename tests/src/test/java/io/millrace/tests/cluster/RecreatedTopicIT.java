package io.millrace.tests.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;

import io.millrace.tests.compatibility.Kafka;
import io.millrace.tests.compatibility.Message;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitionReassignment;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/// A topic is deleted while one of its brokers is down and the controller dies, and made again under the same name: what
/// the broker still has when it returns belongs to nobody.
@DisturbsClusters
class RecreatedTopicIT {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final String TOPIC = "recreated";

    private final Cluster cluster;
    private final Kafka kafka;

    RecreatedTopicIT(Clusters clusters) {
        this.cluster = clusters.of(Mode.CLUSTER);
        this.kafka = new Kafka(cluster.bootstrap());
    }

    @Test
    void whatABrokerHasOfADeletedTopicNeverMixesIntoTheNextOneOfThatName() {
        kafka.create(new NewTopic(TOPIC, Map.of(0, List.of(0, 1), 1, List.of(1, 0))));
        kafka.produce(TOPIC, Map.of(), IntStream.range(0, 100).mapToObj(i -> Message.of("old" + i, "old"))
                .toList());
        kafka.consumer(Map.of("group.id", "recreated-readers")).commitSync(Map.of(new TopicPartition(TOPIC, 0),
                new OffsetAndMetadata(1_000)));
        var before = describe();

        int controller = cluster.activeController();
        cluster.kill("broker", 1);
        deleteWhileItDies(controller);
        kafka.create(new NewTopic(TOPIC, Map.of(0, List.of(0, 2), 1, List.of(2, 0), 2, List.of(0, 2))));
        kafka.produce(TOPIC, Map.of(), List.of(Message.of("a", "new"), Message.of("b", "new"), Message.of("c",
                "new")));
        cluster.start("broker", 1);
        cluster.start("controller", controller);

        assertThat(describe().topicId()).isNotEqualTo(before.topicId());
        await().atMost(LIMIT).untilAsserted(() -> assertThat(logsOfBroker1()).isEmpty());
        moveToBroker1();
        assertThat(kafka.readAll(TOPIC)).extracting(Message::value).containsExactly("new", "new", "new");
        assertThat(readInGroup()).isEqualTo(3);
    }

    private void deleteWhileItDies(int controller) {
        try (var admin = kafka.admin()) {
            var deletion = admin.deleteTopics(Set.of(TOPIC)).all();
            cluster.kill("controller", controller);
            await().atMost(LIMIT).until(deletion::isDone);
            // What the client was told may be an error though the topic is gone, or it may have to ask again.
            await().atMost(LIMIT).until(() -> isGone(admin));
        }
    }

    private static boolean isGone(Admin admin) {
        if (!Kafka.await(admin.listTopics().names()).contains(TOPIC)) {
            return true;
        }
        try {
            admin.deleteTopics(Set.of(TOPIC)).all().get();
        } catch (ExecutionException refused) {
            return false;
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
        return false;
    }

    private TopicDescription describe() {
        try (var admin = kafka.admin()) {
            return Kafka.await(admin.describeTopics(List.of(TOPIC)).topicNameValues().values().iterator().next());
        }
    }

    /// Folders that are not on their way out.
    private List<String> logsOfBroker1() {
        try (var files = Files.list(cluster.data().resolve("broker-1"))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith(TOPIC + "-") && !name.endsWith("-delete"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void moveToBroker1() {
        try (var admin = kafka.admin()) {
            for (int partition = 0; partition < 3; partition++) {
                Kafka.await(admin.alterPartitionReassignments(Map.of(new TopicPartition(TOPIC, partition), Optional.of(
                        new NewPartitionReassignment(List.of(1))))).all());
            }
            await().atMost(LIMIT).until(() -> describe().partitions().stream().allMatch(
                    partition -> partition.replicas().stream().map(Node::id).toList().equals(List.of(1)) && partition
                            .leader().id() == 1));
        }
    }

    /// The group's old offset lies beyond the end: it begins anew.
    private int readInGroup() {
        try (var consumer = kafka.consumer(Map.of("group.id", "recreated-readers"))) {
            consumer.subscribe(List.of(TOPIC));
            int[] read = {0};
            await().atMost(LIMIT).until(() -> {
                read[0] += consumer.poll(Duration.ofMillis(500)).count();
                return read[0] >= 3;
            });
            return read[0] + consumer.poll(Duration.ofMillis(500)).count();
        }
    }
}
