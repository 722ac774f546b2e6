package io.millrace.tests.compatibility;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;

import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.WakeupException;

/// A member of the group `TOPIC-group` that reads, on a thread of its own, until it is closed; it commits what it read.
final class Member implements AutoCloseable {

    private final Consumer<String, String> consumer;
    private final ConcurrentLinkedQueue<String> values = new ConcurrentLinkedQueue<>();
    private final Thread thread;
    private volatile int assigned;

    Member(Kafka kafka, String topic) {
        this(kafka, topic, Map.of());
    }

    /// @param settings of its client
    Member(Kafka kafka, String topic, Map<String, Object> settings) {
        var all = new HashMap<String, Object>(settings);
        all.put("group.id", topic + "-group");
        this.consumer = kafka.consumer(all);
        this.thread = Thread.ofPlatform().name("member").start(() -> read(topic));
    }

    private void read(String topic) {
        try (consumer) {
            consumer.subscribe(List.of(topic));
            while (true) {
                consumer.poll(Duration.ofMillis(100)).forEach(it -> values.add(it.value()));
                commit();
                assigned = consumer.assignment().size();
            }
        } catch (WakeupException e) {
            assigned = 0;
        }
    }

    /// A rebalance that began since the last poll refuses the commit: the new owner reads those records again.
    private void commit() {
        try {
            consumer.commitSync();
        } catch (RebalanceInProgressException | CommitFailedException e) {
            assigned = 0;
        }
    }

    /// Partitions that it has.
    int assigned() {
        return assigned;
    }

    /// Records it has read.
    int read() {
        return values.size();
    }

    /// Their values.
    List<String> values() {
        return List.copyOf(values);
    }

    @Override
    public void close() {
        consumer.wakeup();
        try {
            thread.join(Kafka.LIMIT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
