package io.millrace.tests.cluster;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

import io.millrace.tests.compatibility.Kafka;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Assertions;

/// Writes numbered records until it is closed, and remembers which were acknowledged.
final class Writer implements AutoCloseable {

    private static final Duration BETWEEN = Duration.ofMillis(5);

    private final Producer<String, String> producer;
    private final ConcurrentLinkedQueue<String> acknowledged = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Exception> failures = new ConcurrentLinkedQueue<>();
    private final Thread thread;
    private volatile boolean closed;

    Writer(Kafka kafka, String topic) {
        this.producer = kafka.producer(Map.of("delivery.timeout.ms", 90_000, "request.timeout.ms", 5_000,
                "max.block.ms",
                90_000, "reconnect.backoff.max.ms", 200));
        this.thread = Thread.ofPlatform().name("writer").start(() -> write(topic));
    }

    private void write(String topic) {
        for (int i = 0; !closed; i++) {
            String value = "v" + i;
            producer.send(new ProducerRecord<>(topic, value), (_, failure) -> {
                if (failure == null) {
                    acknowledged.add(value);
                } else {
                    failures.add(failure);
                }
            });
            LockSupport.parkNanos(BETWEEN.toNanos());
        }
    }

    /// How many have been acknowledged.
    int count() {
        return acknowledged.size();
    }

    /// Ends the writing, and waits for what is under way.
    ///
    /// @return the values that were acknowledged; the test fails if any record was refused for good
    List<String> finish() {
        close();
        Assertions.assertTrue(failures.isEmpty(), () -> failures.size() + " records failed, the first by " + failures
                .peek());
        return List.copyOf(acknowledged);
    }

    @Override
    public void close() {
        closed = true;
        try {
            thread.join(Kafka.LIMIT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        producer.close();
    }
}
