package io.millrace.tests.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;

/// Kafka's newest Java client in this process, with the settings that tests share.
public final class Kafka {

    /// How long a client may take for one thing.
    public static final Duration LIMIT = Duration.ofSeconds(60);

    private final String bootstrap;

    public Kafka(String bootstrap) {
        this.bootstrap = bootstrap;
    }

    /// Where clients begin.
    public String bootstrap() {
        return bootstrap;
    }

    /// An admin client.
    public Admin admin() {
        return Admin.create(Map.of("bootstrap.servers", bootstrap));
    }

    /// An admin client that soon asks another node where one does not answer.
    public Admin impatientAdmin() {
        return Admin.create(Map.of("bootstrap.servers", bootstrap, "request.timeout.ms", 5_000));
    }

    /// Makes a topic; when this returns, it can be used.
    public void create(String topic, int partitions) {
        create(new NewTopic(topic, partitions, (short) 1));
    }

    /// Makes a topic; when this returns, it can be used.
    public void create(NewTopic topic) {
        try (Admin admin = admin()) {
            await(admin.createTopics(List.of(topic)).all());
        }
    }

    /// What the future holds; the test fails if it does not come in time.
    public static <T> T await(KafkaFuture<T> future) {
        return await((Future<T>) future);
    }

    /// What the future holds; the test fails if it does not come in time.
    public static <T> T await(Future<T> future) {
        try {
            return future.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError(e.getCause() == null ? e : e.getCause());
        }
    }

    /// A producer with `acks=all`.
    ///
    /// @param settings in place of its own
    public Producer<String, String> producer(Map<String, Object> settings) {
        var all = new HashMap<String, Object>(Map.of("bootstrap.servers", bootstrap, "acks", "all", "linger.ms", 5));
        all.putAll(settings);
        return new KafkaProducer<>(all, new StringSerializer(), new StringSerializer());
    }

    /// A consumer that begins at the start where it has no position.
    ///
    /// @param settings in place of its own
    public Consumer<String, String> consumer(Map<String, Object> settings) {
        var all = new HashMap<String, Object>(
                Map.of("bootstrap.servers", bootstrap, "auto.offset.reset", "earliest", "enable.auto.commit", false));
        all.putAll(settings);
        return new KafkaConsumer<>(all, new StringDeserializer(), new StringDeserializer());
    }

    /// Sends the records and waits until all are acknowledged.
    public void produce(String topic, Map<String, Object> settings, List<Message> messages) {
        try (Producer<String, String> producer = producer(settings)) {
            List<Future<RecordMetadata>> sent = new ArrayList<>();
            for (Message message : messages) {
                sent.add(producer.send(record(topic, message)));
            }
            sent.forEach(Kafka::await);
        }
    }

    private static ProducerRecord<String, String> record(String topic, Message message) {
        var record = new ProducerRecord<String, String>(topic, message.key(), message.value());
        for (Message.Header header : message.headers()) {
            record.headers().add(header.name(), bytes(header.value()));
        }
        return record;
    }

    private static byte @Nullable [] bytes(@Nullable String text) {
        return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
    }

    /// Every record of the topic, from its start to its end as it is now.
    public List<Message> readAll(String topic) {
        return records(topic).stream().map(Kafka::message).toList();
    }

    /// Every record of the topic, from its start to its end as it is now; in order within a partition.
    public List<ConsumerRecord<String, String>> records(String topic) {
        return records(topic, "read_uncommitted");
    }

    /// The same as a reader of that `isolation.level` sees them.
    public List<ConsumerRecord<String, String>> records(String topic, String isolation) {
        List<ConsumerRecord<String, String>> records = new ArrayList<>();
        try (Consumer<String, String> consumer = consumer(Map.of("isolation.level", isolation))) {
            List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                    .map(it -> new TopicPartition(topic, it.partition())).toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            long limit = System.nanoTime() + LIMIT.toNanos();
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                assertThat(System.nanoTime()).as("read %s of %s", records.size(), ends).isLessThan(limit);
                consumer.poll(Duration.ofMillis(200)).forEach(records::add);
            }
        }
        return records;
    }

    static Message message(ConsumerRecord<String, String> record) {
        var headers = new ArrayList<Message.Header>();
        record.headers().forEach(it -> headers.add(new Message.Header(it.key(),
                it.value() == null ? null : new String(it.value(), StandardCharsets.UTF_8))));
        return new Message(record.key(), record.value(), headers);
    }
}
