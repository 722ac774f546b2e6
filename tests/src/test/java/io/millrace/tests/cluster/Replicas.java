package io.millrace.tests.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.millrace.tests.compatibility.Kafka;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartitionInfo;

/// Where the replicas of topics are, as any client sees it.
final class Replicas {

    /// A broker may begin by waiting for what a dead process of its own left in ZooKeeper.
    private static final Duration LIMIT = Duration.ofMinutes(5);

    private final Kafka kafka;

    Replicas(Kafka kafka) {
        this.kafka = kafka;
    }

    /// The leader of a partition.
    int leader(String topic, int partition) {
        return partitions(topic).get(partition).leader().id();
    }

    /// The partitions of a topic, by their number.
    List<TopicPartitionInfo> partitions(String topic) {
        try (Admin admin = kafka.impatientAdmin()) {
            return Kafka.await(admin.describeTopics(List.of(topic)).topicNameValues().values().iterator().next())
                    .partitions();
        }
    }

    /// Returns once every partition of every topic has a leader and all its replicas in sync.
    void awaitAllInSync() {
        awaitAllInSync(() -> {});
    }

    /// The same.
    ///
    /// @param before done before each look
    void awaitAllInSync(Runnable before) {
        try (Admin admin = kafka.impatientAdmin()) {
            await().atMost(LIMIT).pollInterval(Duration.ofMillis(200)).ignoreExceptions().untilAsserted(() -> {
                before.run();
                assertThat(outOfSync(admin)).isEmpty();
            });
        }
    }

    private static List<String> outOfSync(Admin admin) {
        Map<String, TopicDescription> topics = Kafka.await(admin.describeTopics(Kafka.await(admin.listTopics().names()))
                .allTopicNames());
        return topics.values().stream().flatMap(topic -> topic.partitions().stream().filter(Replicas::isIncomplete)
                .map(it -> topic.name() + ": " + it)).toList();
    }

    private static boolean isIncomplete(TopicPartitionInfo partition) {
        Node leader = partition.leader();
        return leader == null || leader.isEmpty() || partition.isr().size() < partition.replicas().size();
    }
}
