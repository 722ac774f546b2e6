package io.millrace.tests.containers;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/// Writes to a topic without a pause, with Kafka's own producer as it comes (acks=all, idempotent), from this machine.
final class HostWriter implements AutoCloseable {
    private static final Duration PAUSE = Duration.ofMillis(5);
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /// Of its records, so that those of another writer are others.
    private final String name = UUID.randomUUID().toString();
    private final String topic;
    private final KafkaProducer<String, String> producer;
    private final Queue<String> acknowledged = new ConcurrentLinkedQueue<>();
    private final Queue<String> failed = new ConcurrentLinkedQueue<>();
    private final Thread thread;
    private volatile boolean ended;

    HostWriter(String bootstrap, String topic) {
        this.topic = topic;
        producer = new KafkaProducer<>(Map.of("bootstrap.servers", bootstrap, "linger.ms", 5), new StringSerializer(),
                new StringSerializer());
        thread = Thread.ofPlatform().name("host-writer").start(this::write);
    }

    private void write() {
        for (int i = 0; !ended; i++) {
            var value = name + "-" + i;
            try {
                producer.send(new ProducerRecord<>(topic, value, value), (_, failure) -> {
                    if (failure == null) {
                        acknowledged.add(value);
                    } else {
                        failed.add(value + ": " + failure);
                    }
                });
            } catch (RuntimeException failure) {
                failed.add(value + ": " + failure);
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }

    int count() {
        return acknowledged.size();
    }

    List<String> failures() {
        return List.copyOf(failed);
    }

    /// Those of which the producer was told that they are stored; complete once this is finished.
    List<String> acknowledged() {
        return List.copyOf(acknowledged);
    }

    @Override
    public void close() {
        finish();
    }

    /// Writes no more, and waits until it is known of each record what became of it.
    void finish() {
        ended = true;
        try {
            thread.join(PATIENCE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        producer.close(PATIENCE);
    }

    /// How often each value is in a topic.
    static Map<String, Integer> read(String bootstrap, String topic) {
        var counts = new HashMap<String, Integer>();
        try (var consumer = new KafkaConsumer<>(Map.<String, Object>of("bootstrap.servers", bootstrap),
                new StringDeserializer(), new StringDeserializer())) {
            var partitions = consumer.partitionsFor(topic).stream().map(found -> new TopicPartition(topic, found
                    .partition())).toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            var ends = consumer.endOffsets(partitions);
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                consumer.poll(Duration.ofSeconds(1)).forEach(record -> counts.merge(record.value(), 1, Integer::sum));
            }
        }
        return counts;
    }
}
