package io.millrace.bench.produce;

import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/// One producer with the settings that Kafka's producers have when nothing is said: `acks=all`, idempotent, no linger.
/// Records are 1 KiB of bytes that do not repeat, and go to the partitions as the producer likes.
final class Load implements AutoCloseable {
    static final int RECORD_BYTES = 1_024;
    private static final int MOST_SAMPLES = 2_000_000;

    private final String topic;
    private final KafkaProducer<byte[], byte[]> producer;
    private final byte[] value = new byte[RECORD_BYTES];
    private final AtomicReference<@Nullable Exception> failed = new AtomicReference<>();

    /// What a load came to.
    ///
    /// @param records acknowledged
    /// @param nanos from the first send to the last acknowledgement
    /// @param waits from the moment at which each was due to its acknowledgement
    record Outcome(long records, long nanos, Samples waits) {
        double megabytesPerSecond() {
            return records * (double) RECORD_BYTES / 1e6 / (nanos / 1e9);
        }

        double gigabytes() {
            return records * (double) RECORD_BYTES / 1e9;
        }
    }

    Load(String bootstrap, String topic) {
        this.topic = topic;
        producer = new KafkaProducer<>(Map.of("bootstrap.servers", bootstrap), new ByteArraySerializer(),
                new ByteArraySerializer());
        new Random(1).nextBytes(value);
    }

    /// Sends for that long.
    ///
    /// @param bytesPerSecond at which records are due; 0 for as fast as the producer takes them, and then one is due when it is
    ///        sent
    Outcome run(Duration time, double bytesPerSecond) {
        long[] samples = new long[MOST_SAMPLES];
        var acknowledged = new Samples(samples);
        double gap = bytesPerSecond == 0 ? 0 : RECORD_BYTES / bytesPerSecond * 1e9;
        long start = System.nanoTime();
        long end = start + time.toNanos();
        long sent = 0;
        for (long now = start; now < end && sent < MOST_SAMPLES; now = System.nanoTime()) {
            long due = bytesPerSecond == 0 ? now : start + (long) (sent * gap);
            if (due > now) {
                LockSupport.parkNanos(due - now);
                continue;
            }
            sent++;
            producer.send(new ProducerRecord<>(topic, value), (_, failure) -> {
                if (failure == null) {
                    acknowledged.add(System.nanoTime() - due);
                } else {
                    failed.compareAndSet(null, failure);
                }
            });
        }
        producer.flush();
        long took = System.nanoTime() - start;
        var failure = failed.get();
        if (failure != null) {
            throw new IllegalStateException("a record was not written", failure);
        }
        acknowledged.sort();
        return new Outcome(acknowledged.count, took, acknowledged);
    }

    /// Touched by the producer's one thread, and by ours once all is flushed.
    static final class Samples {
        private final long[] nanos;
        private int count;

        Samples(long[] nanos) {
            this.nanos = nanos;
        }

        void add(long sample) {
            nanos[count++] = sample;
        }

        void sort() {
            Arrays.sort(nanos, 0, count);
        }

        /// Once they are sorted.
        double millisAt(double quantile) {
            return nanos[(int) Math.min(count - 1, count * quantile)] / 1e6;
        }
    }

    @Override
    public void close() {
        producer.close(Duration.ofSeconds(10));
    }
}
