package io.millrace.broker.partition;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

import io.millrace.broker.partition.BrokerTopicMetrics.TopicMeters;
import org.jspecify.annotations.Nullable;

/// A topic with partitions on this broker. Changed by one thread, read by all.
final class LocalTopic {
    private final String name;
    private final UUID id;
    private final TopicMeters meters;
    /// By number, with gaps where a partition is not here; replaced as a whole.
    private volatile @Nullable Partition[] partitions = new Partition[0];

    LocalTopic(String name, UUID id, TopicMeters meters) {
        this.name = name;
        this.id = id;
        this.meters = meters;
    }

    String name() {
        return name;
    }

    UUID id() {
        return id;
    }

    TopicMeters meters() {
        return meters;
    }

    @Nullable
    Partition partition(int number) {
        var now = partitions;
        return number >= 0 && number < now.length ? now[number] : null;
    }

    List<Partition> partitions() {
        return Arrays.stream(partitions).filter(Objects::nonNull).toList();
    }

    boolean isEmpty() {
        return partitions().isEmpty();
    }

    void put(int number, @Nullable Partition partition) {
        var next = Arrays.copyOf(partitions, Math.max(partitions.length, number + 1));
        next[number] = partition;
        partitions = next;
    }
}
