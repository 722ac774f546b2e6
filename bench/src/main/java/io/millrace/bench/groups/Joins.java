package io.millrace.bench.groups;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;

import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;

/// Members that all join a new group at once, each a Java consumer of its own. The group is stable once each of them has its
/// two partitions.
final class Joins {
    private static final int EACH = 2;
    private static final Duration LIMIT = Duration.ofMinutes(3);

    private final Cluster cluster;
    private final String topic;
    private final int members;
    private final Map<String, Object> settings;

    /// @param topic of two partitions for each member
    Joins(Cluster cluster, String topic, int members, Map<String, Object> settings) {
        this.cluster = cluster;
        this.topic = topic;
        this.members = members;
        this.settings = settings;
    }

    static int partitions(int members) {
        return members * EACH;
    }

    /// From the first join to the last assignment.
    double seconds() throws InterruptedException {
        var counts = new AtomicIntegerArray(members);
        var consumers = new ArrayList<KafkaConsumer<byte[], byte[]>>();
        for (int i = 0; i < members; i++) {
            consumers.add(cluster.consumer(topic, settings));
        }
        var threads = new ArrayList<Thread>();
        long start = System.nanoTime();
        for (int i = 0; i < members; i++) {
            int number = i;
            threads.add(Thread.ofPlatform().start(() -> read(consumers.get(number), counts, number)));
        }
        try {
            while (!stable(counts)) {
                if (System.nanoTime() - start > LIMIT.toNanos()) {
                    throw new IllegalStateException("not stable: " + counts);
                }
                LockSupport.parkNanos(1_000_000);
            }
            return (System.nanoTime() - start) / 1e9;
        } finally {
            consumers.forEach(KafkaConsumer::wakeup);
            for (var thread : threads) {
                thread.join();
            }
        }
    }

    private boolean stable(AtomicIntegerArray counts) {
        for (int i = 0; i < members; i++) {
            if (counts.get(i) != EACH) {
                return false;
            }
        }
        return true;
    }

    private void read(KafkaConsumer<byte[], byte[]> consumer, AtomicIntegerArray counts, int number) {
        try (consumer) {
            consumer.subscribe(List.of(topic), new ConsumerRebalanceListener() {
                @Override
                public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
                    counts.addAndGet(number, -partitions.size());
                }

                @Override
                public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
                    counts.addAndGet(number, partitions.size());
                }
            });
            while (true) {
                consumer.poll(Duration.ofMillis(200));
            }
        } catch (WakeupException _) {
            // the end
        }
    }
}
