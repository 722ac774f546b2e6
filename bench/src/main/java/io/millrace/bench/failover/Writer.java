package io.millrace.bench.failover;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/// Writes records that all in-sync replicas must have (`acks=all`), idempotently, which is what a producer does by default.
final class Writer implements AutoCloseable {

    private static final int DELIVERY_MILLIS = 300_000;
    private static final int BLOCK_MILLIS = 120_000;

    private final KafkaProducer<byte[], byte[]> producer;

    /// @param eager how soon it tries again
    /// @param requestMillis `request.timeout.ms`
    Writer(String bootstrap, Map<String, Object> eager, int requestMillis) {
        var settings = new HashMap<>(eager);
        settings.putAll(Map.of("bootstrap.servers", bootstrap, "acks", "all", "linger.ms", 0, "request.timeout.ms",
                requestMillis, "delivery.timeout.ms", DELIVERY_MILLIS, "max.block.ms", BLOCK_MILLIS));
        this.producer = new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
    }

    /// Sends a record to each partition.
    ///
    /// @return for each partition, when it was acknowledged, by [System#nanoTime]
    List<Long> writeToEach(String topic, int partitions) {
        List<CompletableFuture<Long>> times = new ArrayList<>();
        for (int i = 0; i < partitions; i++) {
            var time = new CompletableFuture<Long>();
            producer.send(new ProducerRecord<>(topic, i, null, new byte[100]), (_, failure) -> {
                if (failure == null) {
                    time.complete(System.nanoTime());
                } else {
                    time.completeExceptionally(failure);
                }
            });
            times.add(time);
        }
        return times.stream().map(Clients::await).toList();
    }

    @Override
    public void close() {
        producer.close(Duration.ZERO);
    }
}
