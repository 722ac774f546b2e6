package io.millrace.standalone.training;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/// Producers and consumers of a training run.
final class Records {

    private static final String WRITTEN = "training-written";
    private static final String TRANSFORMED = "training-transformed";
    private static final int PARTITIONS = 6;
    private static final short REPLICAS = 2;
    private static final int BATCH = 100;
    private static final int BYTES = 1_024;
    private static final int ABORT_EACH = 8;
    private static final int POLLS_A_MEMBER = 50;
    private static final Duration POLL = Duration.ofMillis(100);

    private final String bootstrap;
    private final long end;

    /// @param end by [System#nanoTime], for all that goes on until it is time to end
    Records(String bootstrap, long end) {
        this.bootstrap = bootstrap;
        this.end = end;
    }

    private boolean goesOn() {
        return System.nanoTime() < end;
    }

    void createTopics() throws ExecutionException, InterruptedException {
        try (var admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            admin.createTopics(List.of(new NewTopic(WRITTEN, PARTITIONS, REPLICAS), new NewTopic(TRANSFORMED,
                    PARTITIONS, REPLICAS))).all().get();
        }
    }

    /// Writes with the settings that a producer has when nothing is said: `acks=all`, idempotent.
    void write() {
        byte[] value = new byte[BYTES];
        new Random(1).nextBytes(value);
        try (var producer = producer(Map.of())) {
            while (goesOn()) {
                send(producer, WRITTEN, value);
                producer.flush();
            }
        }
    }

    /// Reads and writes in transactions that carry the offsets too, and aborts some.
    void transform() {
        try (var consumer = consumer("classic", "training-transform");
                var producer = producer(Map.of("transactional.id", "training"))) {
            consumer.subscribe(List.of(WRITTEN));
            producer.initTransactions();
            for (int i = 1; goesOn(); i++) {
                ConsumerRecords<byte[], byte[]> read = consumer.poll(POLL);
                producer.beginTransaction();
                read.forEach(it -> producer.send(new ProducerRecord<>(TRANSFORMED, it.key(), it.value())));
                producer.sendOffsetsToTransaction(positions(consumer), consumer.groupMetadata());
                if (i % ABORT_EACH == 0) {
                    producer.abortTransaction();
                } else {
                    producer.commitTransaction();
                }
            }
        }
    }

    private static Map<TopicPartition, OffsetAndMetadata> positions(KafkaConsumer<byte[], byte[]> consumer) {
        var positions = new HashMap<TopicPartition, OffsetAndMetadata>();
        consumer.assignment().forEach(it -> positions.put(it, new OffsetAndMetadata(consumer.position(it))));
        return positions;
    }

    /// Members of a group that commit after each poll, leave, and are followed by the next.
    ///
    /// @param protocol `classic` or `consumer`
    void read(String protocol) {
        while (goesOn()) {
            try (var consumer = consumer(protocol, "training-" + protocol)) {
                consumer.subscribe(List.of(WRITTEN, TRANSFORMED));
                for (int i = 0; i < POLLS_A_MEMBER && goesOn(); i++) {
                    consumer.poll(POLL);
                    consumer.commitSync();
                }
            }
        }
    }

    private static void send(KafkaProducer<byte[], byte[]> producer, String topic, byte[] value) {
        for (int i = 0; i < BATCH; i++) {
            producer.send(new ProducerRecord<>(topic, i % PARTITIONS, null, value));
        }
    }

    private KafkaProducer<byte[], byte[]> producer(Map<String, Object> settings) {
        var all = new HashMap<String, Object>(settings);
        all.put("bootstrap.servers", bootstrap);
        return new KafkaProducer<>(all, new ByteArraySerializer(), new ByteArraySerializer());
    }

    private KafkaConsumer<byte[], byte[]> consumer(String protocol, String group) {
        return new KafkaConsumer<>(Map.of("bootstrap.servers", bootstrap, "group.id", group, "group.protocol",
                protocol, "isolation.level", "read_committed", "auto.offset.reset", "earliest",
                "enable.auto.commit", false), new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }
}
