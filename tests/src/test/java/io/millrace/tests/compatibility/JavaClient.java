package io.millrace.tests.compatibility;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/// A client program on Kafka's Java client. It is compiled against the newest and runs with any since 2.6, so it uses what
/// they share and nothing else of this module.
///
///     create BOOTSTRAP TOPIC PARTITIONS
///     produce BOOTSTRAP TOPIC CODEC           records from standard input, see [Message]
///     consume BOOTSTRAP TOPIC GROUP COUNT     prints that many records from the group's position on, and commits
///     chain BOOTSTRAP SOURCE TARGET COUNT     copies so many committed records from where its group, TARGET, is, each batch
///                                             and its offsets in one transaction; every fourth one is aborted and repeated
final class JavaClient {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    private JavaClient() {}

    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "create" -> create(args[1], args[2], Integer.parseInt(args[3]));
            case "produce" -> produce(args[1], args[2], args[3]);
            case "consume" -> consume(args[1], args[2], args[3], Integer.parseInt(args[4]));
            case "chain" -> chain(args[1], args[2], args[3], Long.parseLong(args[4]));
            default -> throw new IllegalArgumentException(args[0]);
        }
    }

    private static void create(String bootstrap, String topic, int partitions) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            admin.createTopics(List.of(new NewTopic(topic, partitions, (short) 1))).all().get(LIMIT.toSeconds(),
                    TimeUnit.SECONDS);
        }
    }

    private static void produce(String bootstrap, String topic, String codec) throws Exception {
        var settings = Map.<String, Object>of("bootstrap.servers", bootstrap, "compression.type", codec, "acks", "all",
                "linger.ms", 20, "enable.idempotence", true);
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        try (var producer = new KafkaProducer<byte[], byte[]>(settings, new ByteArraySerializer(),
                new ByteArraySerializer())) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                sent.add(producer.send(record(topic, line)));
            }
            for (Future<RecordMetadata> each : sent) {
                each.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
            }
        }
    }

    private static ProducerRecord<byte[], byte[]> record(String topic, String line) {
        String[] fields = line.split("\t", -1);
        var record = new ProducerRecord<byte[], byte[]>(topic, bytes(fields[0]), bytes(fields[1]));
        if (!fields[2].isEmpty()) {
            for (String header : fields[2].split(",", -1)) {
                String[] parts = header.split("=", 2);
                record.headers().add(parts[0], bytes(parts[1]));
            }
        }
        return record;
    }

    private static void consume(String bootstrap, String topic, String group, int count) {
        var settings = Map.<String, Object>of("bootstrap.servers", bootstrap, "group.id", group, "auto.offset.reset",
                "earliest", "enable.auto.commit", false, "max.poll.records", 50);
        long end = System.nanoTime() + LIMIT.toNanos();
        try (var consumer = new KafkaConsumer<byte[], byte[]>(settings, new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            consumer.subscribe(List.of(topic));
            int seen = 0;
            while (seen < count) {
                if (System.nanoTime() > end) {
                    throw new IllegalStateException("read " + seen + " of " + count);
                }
                ConsumerRecords<byte[], byte[]> records = consumer.poll(Duration.ofMillis(200));
                for (ConsumerRecord<byte[], byte[]> record : records) {
                    print(record);
                    seen++;
                }
                consumer.commitSync(LIMIT);
            }
        }
    }

    private static void chain(String bootstrap, String source, String target, long count) {
        var reads = Map.<String, Object>of("bootstrap.servers", bootstrap, "group.id", target, "auto.offset.reset",
                "earliest", "enable.auto.commit", false, "isolation.level", "read_committed", "max.poll.records",
                2_000);
        var writes = Map.<String, Object>of("bootstrap.servers", bootstrap, "transactional.id", target, "acks", "all");
        long quiet = System.nanoTime();
        long copied = 0;
        try (var consumer = new KafkaConsumer<byte[], byte[]>(reads, new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
                var producer = new KafkaProducer<byte[], byte[]>(writes, new ByteArraySerializer(),
                        new ByteArraySerializer())) {
            producer.initTransactions();
            consumer.subscribe(List.of(source));
            for (int batch = 1; copied < count;) {
                ConsumerRecords<byte[], byte[]> records = consumer.poll(Duration.ofMillis(200));
                if (!records.isEmpty()) {
                    quiet = System.nanoTime();
                    copy(records, target, consumer, producer);
                    if (batch++ % 4 == 0) {
                        producer.abortTransaction();
                        records.partitions().forEach(it -> consumer.seek(it, records.records(it).get(0).offset()));
                    } else {
                        producer.commitTransaction();
                        copied += records.count();
                    }
                } else if (System.nanoTime() - quiet > LIMIT.toNanos()) {
                    throw new IllegalStateException("copied " + copied + " of " + count);
                }
            }
        }
    }

    private static void copy(ConsumerRecords<byte[], byte[]> records, String target,
            KafkaConsumer<byte[], byte[]> consumer, KafkaProducer<byte[], byte[]> producer) {
        producer.beginTransaction();
        records.forEach(it -> producer.send(new ProducerRecord<>(target, it.partition(), it.key(), it.value())));
        var offsets = new HashMap<TopicPartition, OffsetAndMetadata>();
        for (var partition : records.partitions()) {
            var all = records.records(partition);
            offsets.put(partition, new OffsetAndMetadata(all.get(all.size() - 1).offset() + 1));
        }
        producer.sendOffsetsToTransaction(offsets, consumer.groupMetadata());
    }

    private static void print(ConsumerRecord<byte[], byte[]> record) {
        var headers = new StringBuilder();
        for (Header header : record.headers()) {
            headers.append(headers.isEmpty() ? "" : ",").append(header.key()).append('=').append(text(header.value()));
        }
        System.out.println(text(record.key()) + "\t" + text(record.value()) + "\t" + headers);
    }

    private static String text(byte @Nullable [] bytes) {
        return bytes == null ? "-" : Base64.getEncoder().encodeToString(bytes);
    }

    private static byte @Nullable [] bytes(String text) {
        return text.equals("-") ? null : Base64.getDecoder().decode(text);
    }
}
