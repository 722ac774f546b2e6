package io.millrace.tests.load;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import io.millrace.tests.compatibility.Kafka;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/// A member of a group that copies the committed records of one topic into another one, each batch and its offsets in one
/// transaction. Whatever fails, it begins anew from what is committed.
final class Chain implements AutoCloseable {
    private static final Duration REST = Duration.ofMillis(200);
    private static final Duration POLL = Duration.ofMillis(100);

    private final Kafka kafka;
    private final String source;
    private final String target;
    private final String name;
    private final Thread thread;
    private final Complaints complaints = new Complaints();
    private volatile boolean ended;
    private final AtomicLong committed = new AtomicLong();

    Chain(Kafka kafka, String source, String target, String name) {
        this.kafka = kafka;
        this.source = source;
        this.target = target;
        this.name = name;
        thread = Thread.ofPlatform().name(name).start(this::run);
    }

    private void run() {
        while (!ended) {
            try (Producer<String, String> producer = producer(); Consumer<String, String> consumer = consumer()) {
                producer.initTransactions();
                consumer.subscribe(List.of(source));
                while (!ended) {
                    copy(consumer, producer);
                }
            } catch (KafkaException failure) {
                complaints.add(name, "copy", failure);
                LockSupport.parkNanos(REST.toNanos());
            }
        }
    }

    private Producer<String, String> producer() {
        return kafka.producer(Map.of("transactional.id", target + "-" + name, "transaction.timeout.ms", 6_000,
                "delivery.timeout.ms", 20_000, "request.timeout.ms", 3_000, "max.block.ms", 20_000,
                "reconnect.backoff.max.ms", 200));
    }

    private Consumer<String, String> consumer() {
        return kafka.consumer(Map.of("group.id", target, "isolation.level", "read_committed", "session.timeout.ms",
                10_000, "heartbeat.interval.ms", 1_000, "max.poll.records", 200, "default.api.timeout.ms", 20_000,
                "request.timeout.ms", 5_000, "reconnect.backoff.max.ms", 200));
    }

    private void copy(Consumer<String, String> consumer, Producer<String, String> producer) {
        ConsumerRecords<String, String> records = consumer.poll(POLL);
        if (records.isEmpty()) {
            return;
        }
        producer.beginTransaction();
        records.forEach(it -> producer.send(new ProducerRecord<>(target, it.partition(), null, it.value())));
        var offsets = new HashMap<TopicPartition, OffsetAndMetadata>();
        records.partitions().forEach(partition -> offsets.put(partition,
                new OffsetAndMetadata(records.records(partition).getLast().offset() + 1)));
        producer.sendOffsetsToTransaction(offsets, consumer.groupMetadata());
        producer.commitTransaction();
        committed.addAndGet(records.count());
    }

    /// Records that this member was told are copied.
    long committed() {
        return committed.get();
    }

    Map<String, Integer> failures() {
        return complaints.all();
    }

    @Override
    public void close() {
        ended = true;
        Ends.join(thread);
    }
}
