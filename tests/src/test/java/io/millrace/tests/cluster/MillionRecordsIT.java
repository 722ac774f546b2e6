package io.millrace.tests.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;

import io.millrace.tests.compatibility.Kafka;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// What goes in comes out: each record, once, in order, byte for byte.
@ParameterizedClass
@MethodSource("io.millrace.tests.cluster.Mode#enough")
@UsesClusters
class MillionRecordsIT {

    private static final int PARTITIONS = 3;
    private static final Duration LIMIT = Duration.ofMinutes(4);
    /// A record's time tells its number.
    private static final long FIRST_TIMESTAMP = 1_700_000_000_000L;

    private final Kafka kafka;
    private final String mode;

    MillionRecordsIT(Mode mode, Clusters clusters) {
        this.kafka = new Kafka(clusters.of(mode).bootstrap());
        this.mode = mode.label();
    }

    @ParameterizedTest
    @CsvSource({"none, 1000000", "zstd, 200000"})
    void everyRecordComesBackOnceInOrderAndUnchanged(String codec, int count) {
        String topic = "million-" + codec + "-" + mode;
        kafka.create(topic, PARTITIONS);

        write(topic, codec, count);

        read(topic, count);
    }

    private void write(String topic, String codec, int count) {
        var failures = new ConcurrentLinkedQueue<Exception>();
        try (Producer<String, String> producer = kafka.producer(Map.of("compression.type", codec, "batch.size", 65_536,
                "linger.ms", 10))) {
            for (int i = 0; i < count; i++) {
                producer.send(new ProducerRecord<>(topic, i % PARTITIONS, FIRST_TIMESTAMP + i, key(i), value(i)),
                        (_, failure) -> Optional.ofNullable(failure).ifPresent(failures::add));
            }
            producer.flush();
        }
        assertThat(failures).isEmpty();
    }

    private void read(String topic, int count) {
        List<TopicPartition> partitions = IntStream.range(0, PARTITIONS).mapToObj(it -> new TopicPartition(topic, it))
                .toList();
        int[] next = {0, 1, 2};
        int seen = 0;
        long end = System.nanoTime() + LIMIT.toNanos();
        try (Consumer<String, String> consumer = kafka.consumer(Map.of("max.poll.records", 5000))) {
            consumer.assign(partitions);
            while (seen < count) {
                assertThat(System.nanoTime()).as("read %s of %s", seen, count).isLessThan(end);
                for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofMillis(200))) {
                    check(record, next[record.partition()]);
                    next[record.partition()] += PARTITIONS;
                    seen++;
                }
            }
            assertThat(consumer.poll(Duration.ofMillis(200))).isEmpty();
            assertThat(consumer.endOffsets(partitions).values().stream().mapToLong(it -> it).sum()).isEqualTo(count);
        }
    }

    /// Plain comparisons: an assertion a record would take longer than all the rest.
    private static void check(ConsumerRecord<String, String> record, int number) {
        boolean same = record.offset() == number / PARTITIONS && record.timestamp() == FIRST_TIMESTAMP + number
                && key(number).equals(record.key()) && value(number).equals(record.value())
                && !record.headers().iterator().hasNext();
        if (!same) {
            throw new AssertionError("record " + number + " came back as " + record);
        }
    }

    private static String key(int number) {
        return "key-" + number;
    }

    private static String value(int number) {
        return number + " a value of some hundred bytes, no two of them the same: " + (number * 2_654_435_761L);
    }
}
