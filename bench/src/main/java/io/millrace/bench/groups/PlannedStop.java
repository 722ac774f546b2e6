package io.millrace.bench.groups;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.locks.LockSupport;

import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/// Consumers, each alone in its group, that commit one offset after the other while a node that coordinates is asked to end.
final class PlannedStop {
    private static final int GROUPS = 10;
    private static final Duration REST = Duration.ofSeconds(8);
    private static final long BETWEEN_NANOS = Duration.ofMillis(5).toNanos();

    private final Cluster cluster;
    private final String topic;
    private final AtomicBoolean over = new AtomicBoolean();
    private volatile LongAccumulator longest = new LongAccumulator(Math::max, 0);

    PlannedStop(Cluster cluster, String topic) {
        this.cluster = cluster;
        this.topic = topic;
    }

    /// @param undisturbedMillis longest time between two commits of a group before
    /// @param stoppedMillis the same while the node ended, and some seconds after
    record Gaps(double undisturbedMillis, double stoppedMillis) {}

    Gaps gaps() throws IOException, InterruptedException, ExecutionException {
        var threads = new ArrayList<Thread>();
        for (int i = 0; i < GROUPS; i++) {
            int number = i;
            threads.add(Thread.ofPlatform().start(() -> commit(topic + "-" + number)));
        }
        LockSupport.parkNanos(REST.toNanos());
        longest = new LongAccumulator(Math::max, 0);
        LockSupport.parkNanos(REST.toNanos());
        double undisturbed = longest.get() / 1e6;
        int node = coordinator();
        longest = new LongAccumulator(Math::max, 0);
        cluster.run(cluster.stop(), node);
        LockSupport.parkNanos(REST.toNanos());
        over.set(true);
        for (var thread : threads) {
            thread.join();
        }
        double stopped = longest.get() / 1e6;
        cluster.run(cluster.start(), node);
        return new Gaps(undisturbed, stopped);
    }

    private int coordinator() throws InterruptedException, ExecutionException {
        try (var groups = new RawGroups(cluster, topic, RawGroups.names(topic, GROUPS))) {
            groups.each(RawGroup::find);
            return groups.busiest();
        }
    }

    private void commit(String group) {
        try (var consumer = cluster.consumer(group, Map.of())) {
            consumer.subscribe(List.of(topic));
            while (consumer.assignment().isEmpty()) {
                consumer.poll(Duration.ofMillis(100));
            }
            var partition = new TopicPartition(topic, 0);
            long offset = 0;
            long last = System.nanoTime();
            while (!over.get()) {
                consumer.poll(Duration.ZERO);
                consumer.commitSync(Map.of(partition, new OffsetAndMetadata(offset++)));
                long now = System.nanoTime();
                longest.accumulate(now - last);
                last = now;
                LockSupport.parkNanos(BETWEEN_NANOS);
            }
        }
    }
}
