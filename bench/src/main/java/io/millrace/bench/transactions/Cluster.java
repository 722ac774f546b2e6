package io.millrace.bench.transactions;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/// A cluster that is measured.
///
/// @param pids of all its servers; ZooKeeper is counted nowhere
/// @param coordinators of those that coordinate transactions; where brokers do, all of them
/// @param kill command that kills one that coordinates; empty for none
record Cluster(String name, String bootstrap, List<Long> pids, List<Long> coordinators, String kill) {
    static final int RECORD_BYTES = 1_024;

    /// @param values in the order of the fields; process ids with commas between them
    static Cluster of(List<String> values) {
        return new Cluster(values.get(0), values.get(1), list(values.get(2)), list(values.get(3)), values.get(4));
    }

    private static List<Long> list(String pids) {
        return Arrays.stream(pids.split(",", -1)).map(Long::valueOf).toList();
    }

    Admin admin() {
        return Admin.create(Map.of("bootstrap.servers", bootstrap));
    }

    void create(String topic, int partitions, int replicas) throws InterruptedException, ExecutionException {
        try (Admin admin = admin()) {
            admin.createTopics(List.of(new NewTopic(topic, partitions, (short) replicas).configs(
                    Map.of("min.insync.replicas", replicas < 3 ? "1" : "2")))).all().get();
        }
    }

    /// A producer that has begun.
    KafkaProducer<byte[], byte[]> producer(String transactionalId) {
        var producer = new KafkaProducer<>(Map.of("bootstrap.servers", bootstrap, "transactional.id", transactionalId,
                "buffer.memory", 4_000_000), new ByteArraySerializer(), new ByteArraySerializer());
        producer.initTransactions();
        return producer;
    }
}
