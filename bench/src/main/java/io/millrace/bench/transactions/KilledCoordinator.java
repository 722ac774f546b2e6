package io.millrace.bench.transactions;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/// Many open transactions, each with a record in every partition, whose coordinator is killed: every second one is committed,
/// the others aborted. They are resolved once all clients were told so, and nothing is hidden from readers any more.
final class KilledCoordinator {
    private static final int TOGETHER = 50;
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private final Cluster cluster;
    private final String topic;
    private final int count;
    private final List<TopicPartition> partitions;

    KilledCoordinator(Cluster cluster, String topic, int partitions, int count) {
        this.cluster = cluster;
        this.topic = topic;
        this.count = count;
        this.partitions = IntStream.range(0, partitions).mapToObj(it -> new TopicPartition(topic, it)).toList();
    }

    /// From the kill on; fails where a transaction is lost or only half there.
    double seconds() throws IOException, InterruptedException, ExecutionException {
        var producers = new ArrayList<KafkaProducer<byte[], byte[]>>();
        try (var pool = Executors.newFixedThreadPool(TOGETHER)) {
            for (var begun : all(pool.invokeAll(IntStream.range(0, count)
                    .<Callable<KafkaProducer<byte[], byte[]>>>mapToObj(i -> () -> opened(i)).toList()))) {
                producers.add(begun);
            }
            new ProcessBuilder("bash", "-c", cluster.kill()).redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor();
            long killed = System.nanoTime();
            all(pool.invokeAll(IntStream.range(0, count).<Callable<Boolean>>mapToObj(i -> () -> {
                end(producers.get(i), i % 2 == 0);
                return true;
            }).toList()));
            awaitStable();
            double seconds = (System.nanoTime() - killed) / 1e9;
            check();
            return seconds;
        } finally {
            producers.forEach(producer -> producer.close(Duration.ZERO));
        }
    }

    private static <T> List<T> all(List<Future<T>> futures) throws InterruptedException, ExecutionException {
        var results = new ArrayList<T>();
        for (var future : futures) {
            results.add(future.get());
        }
        return results;
    }

    private KafkaProducer<byte[], byte[]> opened(int number) {
        var producer = new KafkaProducer<>(Map.of("bootstrap.servers", cluster.bootstrap(), "transactional.id", topic
                + "-" + number, "buffer.memory", 1_000_000, "reconnect.backoff.max.ms", 100),
                new ByteArraySerializer(), new ByteArraySerializer());
        producer.initTransactions();
        producer.beginTransaction();
        for (var partition : partitions) {
            producer.send(new ProducerRecord<>(topic, partition.partition(), null, new byte[]{
                    (byte) number, (byte) (number >> 8)}));
        }
        producer.flush();
        return producer;
    }

    private static void end(KafkaProducer<byte[], byte[]> producer, boolean commit) {
        if (commit) {
            producer.commitTransaction();
        } else {
            producer.abortTransaction();
        }
    }

    private void awaitStable() throws InterruptedException, ExecutionException {
        var latest = new HashMap<TopicPartition, OffsetSpec>();
        partitions.forEach(it -> latest.put(it, OffsetSpec.latest()));
        long limit = System.nanoTime() + LIMIT.toNanos();
        try (Admin admin = cluster.admin()) {
            while (!ends(admin, latest, IsolationLevel.READ_COMMITTED).equals(
                    ends(admin, latest, IsolationLevel.READ_UNCOMMITTED))) {
                if (System.nanoTime() > limit) {
                    throw new IllegalStateException("transactions still open after " + LIMIT);
                }
            }
        }
    }

    private static Map<TopicPartition, Long> ends(Admin admin, Map<TopicPartition, OffsetSpec> latest,
            IsolationLevel level) throws InterruptedException, ExecutionException {
        var ends = new HashMap<TopicPartition, Long>();
        admin.listOffsets(latest, new ListOffsetsOptions(level)).all().get()
                .forEach((partition, found) -> ends.put(partition, found.offset()));
        return ends;
    }

    private void check() {
        var found = new HashMap<TopicPartition, List<Integer>>();
        try (var consumer = new KafkaConsumer<>(Map.of("bootstrap.servers", cluster.bootstrap(), "isolation.level",
                "read_committed"), new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            var ends = consumer.endOffsets(partitions);
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                consumer.poll(Duration.ofMillis(200)).forEach(record -> found.computeIfAbsent(new TopicPartition(record
                        .topic(), record.partition()), _ -> new ArrayList<>())
                        .add(Byte.toUnsignedInt(record.value()[0]) + (Byte.toUnsignedInt(record.value()[1]) << 8)));
            }
        }
        var wanted = IntStream.range(0, count).filter(i -> i % 2 == 0).boxed().toList();
        for (var partition : partitions) {
            var there = found.getOrDefault(partition, List.of()).stream().sorted().toList();
            if (!there.equals(wanted)) {
                throw new IllegalStateException(partition + " has " + there + " instead of " + wanted);
            }
        }
    }
}
