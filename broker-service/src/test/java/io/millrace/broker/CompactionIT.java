package io.millrace.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The Java client and a compacted topic while the broker cleans it.
class CompactionIT {
    private static final TopicPartition PARTITION = new TopicPartition("t", 0);
    private static final Duration LONG = Duration.ofSeconds(60);

    @TempDir
    Path directory;
    private TestBroker broker;

    @BeforeEach
    void start() throws Exception {
        broker = TestBroker.in(directory, Map.of("log.cleaner.backoff.ms", "100"));
        broker.create("t", 1, Map.of("cleanup.policy", "compact", "segment.ms", "500", "segment.bytes", "20000",
                "min.cleanable.dirty.ratio", "0.01", "delete.retention.ms", "1000", "file.delete.delay.ms", "100"));
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    @Test
    void aReaderReachesTheEndFromEveryOffsetWhateverWasCleanedAway() {
        write(600, i -> new ProducerRecord<>("t", 0, "k" + i % 7, i % 50 == 0 ? null : "v" + i));
        write(1, _ -> new ProducerRecord<>("t", 0, "k6", null));
        await().atMost(LONG).until(() -> read(0).size() <= 7);

        for (long offset = 0; offset < 601; offset += 20) {
            assertThat(read(offset)).as("from offset %d", offset).allSatisfy(record -> assertThat(record.key())
                    .startsWith("k"));
        }
        Map<String, String> table = new HashMap<>();
        read(0).forEach(record -> table.put(record.key(), record.value()));
        table.values().removeIf(value -> value == null);
        assertThat(table).isEqualTo(Map.of("k0", "v595", "k1", "v596", "k2", "v597", "k3", "v598", "k4", "v599", "k5",
                "v593"));
        assertThat(broker.meters().get("millrace.log.cleaner.removed").counter().count()).isPositive();
    }

    @Test
    void aTombstoneGoesFromAQuietTopicOverARestart() throws Exception {
        write(3, i -> new ProducerRecord<String, @Nullable String>("t", 0, "k" + i, "v"));
        write(1, _ -> new ProducerRecord<>("t", 0, "k1", null));
        await().atMost(LONG).until(() -> read(0).size() == 3);
        broker.restart();

        await().atMost(LONG).until(() -> read(0).stream().map(ConsumerRecord::key).toList(), List.of("k0",
                "k2")::equals);
    }

    private interface Message {
        ProducerRecord<String, @Nullable String> of(int number);
    }

    private void write(int count, Message message) {
        var config = new HashMap<String, Object>(Map.of("bootstrap.servers", broker.bootstrap(), "batch.size", "400",
                "compression.type", "lz4"));
        try (var producer = new KafkaProducer<String, @Nullable String>(config, new StringSerializer(),
                new StringSerializer())) {
            for (int i = 0; i < count; i++) {
                producer.send(message.of(i));
            }
        }
    }

    /// Until the position is the end.
    private List<ConsumerRecord<String, String>> read(long from) {
        var config = new HashMap<String, Object>(Map.of("bootstrap.servers", broker.bootstrap()));
        var found = new ArrayList<ConsumerRecord<String, String>>();
        try (var consumer = new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer())) {
            consumer.assign(List.of(PARTITION));
            consumer.seek(PARTITION, from);
            long end = consumer.endOffsets(List.of(PARTITION)).getOrDefault(PARTITION, -1L);
            await().atMost(LONG).pollInterval(Duration.ofMillis(1)).until(() -> {
                consumer.poll(Duration.ofMillis(100)).forEach(found::add);
                return consumer.position(PARTITION) >= end;
            });
        }
        return found;
    }
}
