package io.millrace.tests.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.millrace.tests.compatibility.Kafka;
import io.millrace.tests.compatibility.Message;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/// Readers that say in which rack they are, in a cluster whose brokers 0, 1 and 2 are in racks a, b and c.
@DisturbsClusters
class NearestReplicaIT {

    private static final String TOPIC = "nearest-replica";
    private static final int RECORDS = 200;
    private static final int SIZE = 1000;

    private final Cluster cluster;
    private final Kafka kafka;
    private final Replicas replicas;

    NearestReplicaIT(Clusters clusters) {
        this.cluster = clusters.of(Mode.CLUSTER);
        this.kafka = new Kafka(cluster.bootstrap());
        this.replicas = new Replicas(kafka);
    }

    @Test
    void aReaderReadsFromTheFollowerInItsRackAndFromTheLeaderWhenThatOneHangs() {
        kafka.create(new NewTopic(TOPIC, 1, (short) 3));
        int near = (replicas.leader(TOPIC, 0) + 1) % 3;
        write(0);
        try (Consumer<String, String> consumer = kafka.consumer(Map.of("client.rack", rack(near),
                "request.timeout.ms", 3_000, "fetch.max.bytes", 10 * SIZE, "max.partition.fetch.bytes", 10 * SIZE))) {
            consumer.assign(List.of(new TopicPartition(TOPIC, 0)));
            consumer.seekToBeginning(consumer.assignment());

            assertThat(read(consumer)).isEqualTo(numbers(0));
            assertThat(received(consumer, near)).isGreaterThan(RECORDS * SIZE / 2);

            cluster.stop("broker", near);
            try {
                write(RECORDS);
                assertThat(read(consumer)).isEqualTo(numbers(RECORDS));
            } finally {
                cluster.resume("broker", near);
            }
            replicas.awaitAllInSync();
        }
    }

    private static String rack(int broker) {
        return String.valueOf((char) ('a' + broker));
    }

    private void write(int first) {
        kafka.produce(TOPIC, Map.of("request.timeout.ms", 3_000), numbers(first).stream()
                .map(it -> Message.of(it, "x".repeat(SIZE))).toList());
    }

    private static List<String> numbers(int first) {
        return IntStream.range(first, first + RECORDS).mapToObj(String::valueOf).toList();
    }

    private static List<String> read(Consumer<String, String> consumer) {
        var keys = new ArrayList<String>();
        long end = System.nanoTime() + Kafka.LIMIT.toNanos();
        while (keys.size() < RECORDS) {
            assertThat(System.nanoTime()).as("read %s", keys.size()).isLessThan(end);
            consumer.poll(Duration.ofMillis(200)).forEach(it -> keys.add(it.key()));
        }
        return keys;
    }

    /// Bytes that came from that broker.
    private static double received(Consumer<String, String> consumer, int broker) {
        return consumer.metrics().entrySet().stream()
                .filter(it -> it.getKey().name().equals("incoming-byte-total")
                        && ("node-" + broker).equals(it.getKey().tags().get("node-id")))
                .mapToDouble(it -> (double) it.getValue().metricValue()).sum();
    }
}
