package io.millrace.tests.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

import io.millrace.tests.compatibility.Kafka;
import io.millrace.tests.compatibility.Message;
import org.apache.kafka.clients.consumer.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(Mode.class)
@DisturbsClusters
class RestartIT {

    private final Cluster cluster;
    private final Kafka kafka;
    private final String topic;

    RestartIT(Mode mode, Clusters clusters) {
        this.cluster = clusters.of(mode);
        this.kafka = new Kafka(cluster.bootstrap());
        this.topic = "restarted-" + mode.name().toLowerCase(Locale.ROOT);
    }

    @Test
    void afterARestartOfEverythingAGroupGoesOnAtItsCommittedOffset() {
        kafka.create(topic, 3);
        List<Message> sent = new ArrayList<>(numbered(0, 1000));
        kafka.produce(topic, Map.of("compression.type", "lz4"), sent);
        List<Message> read = new ArrayList<>(readInGroup(400));

        cluster.down();
        cluster.up();

        kafka.produce(topic, Map.of(), numbered(1000, 1200));
        sent.addAll(numbered(1000, 1200));
        read.addAll(readInGroup(sent.size() - read.size()));
        assertThat(read).containsExactlyInAnyOrderElementsOf(sent);
        assertThat(kafka.readAll(topic)).containsExactlyInAnyOrderElementsOf(sent);
    }

    private static List<Message> numbered(int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> Message.of("k" + i, "v" + i)).toList();
    }

    /// Reads at least that many, and commits all it read.
    private List<Message> readInGroup(int count) {
        List<Message> read = new ArrayList<>();
        long end = System.nanoTime() + Kafka.LIMIT.toNanos();
        try (Consumer<String, String> consumer = kafka.consumer(Map.of("group.id", topic + "-group", "max.poll.records",
                50))) {
            consumer.subscribe(List.of(topic));
            while (read.size() < count) {
                assertThat(System.nanoTime()).as("read %s of %s", read.size(), count).isLessThan(end);
                consumer.poll(Duration.ofMillis(200)).forEach(it -> read.add(Message.of(it.key(), it.value())));
                consumer.commitSync();
            }
        }
        return read;
    }
}
