package io.millrace.tests.cluster;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

import io.millrace.tests.compatibility.Kafka;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/// A group of one client that commits a higher offset again and again, on a thread of its own, and now and then looks
/// whether the newest one is there.
final class Committer implements AutoCloseable {
    private static final int LOOKS_EACH = 16;
    private static final Duration REST = Duration.ofMillis(5);

    private final Kafka kafka;
    private final String group;
    private final TopicPartition partition;
    private final Thread thread;
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private volatile boolean closed;
    private volatile long acknowledged;
    private volatile long longestGapNanos;

    Committer(Kafka kafka, String group, String topic) {
        this.kafka = kafka;
        this.group = group;
        partition = new TopicPartition(topic, 0);
        thread = Thread.ofPlatform().name(group).start(this::run);
    }

    private void run() {
        try (var consumer = kafka.consumer(Map.of("group.id", group))) {
            consumer.assign(Set.of(partition));
            long last = System.nanoTime();
            for (long offset = 1; !closed; offset++) {
                consumer.commitSync(Map.of(partition, new OffsetAndMetadata(offset)));
                acknowledged = offset;
                if (offset % LOOKS_EACH == 0 && committed(consumer) != offset) {
                    throw new AssertionError(group + " committed " + offset + " and found " + committed(consumer));
                }
                long now = System.nanoTime();
                longestGapNanos = Math.max(longestGapNanos, now - last);
                last = now;
                Thread.sleep(REST);
            }
        } catch (InterruptedException | RuntimeException | AssertionError e) {
            failure.set(e);
        }
    }

    private long committed(Consumer<String, String> consumer) {
        var found = consumer.committed(Set.of(partition)).get(partition);
        return found == null ? -1 : found.offset();
    }

    /// The newest offset of which it knows that it is committed.
    ///
    /// @throws AssertionError where the client gave up, or an offset was lost
    long acknowledged() {
        var failed = failure.get();
        if (failed != null) {
            throw new AssertionError(group, failed);
        }
        return acknowledged;
    }

    /// The longest time between two commits since this was last asked.
    Duration longestGap() {
        long nanos = longestGapNanos;
        longestGapNanos = 0;
        return Duration.ofNanos(nanos);
    }

    /// What another client finds committed.
    long committedAtLast() {
        try (var admin = kafka.admin()) {
            return Objects.requireNonNull(Kafka.await(admin.listConsumerGroupOffsets(group)
                    .partitionsToOffsetAndMetadata()).get(partition)).offset();
        }
    }

    @Override
    public void close() {
        closed = true;
        try {
            thread.join(Kafka.LIMIT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
