package io.millrace.coordinator.marker;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import org.apache.kafka.common.TopicPartition;

/// A transaction and the partitions that miss its marker. Compared by identity; belongs to the sender's loop.
final class PendingMarkers {
    private final EndedTransaction transaction;
    private final long sinceNanos;
    private final CompletableFuture<Set<TopicPartition>> result;
    private final Set<TopicPartition> missing;
    private final Set<TopicPartition> refused = new HashSet<>();

    /// @param sinceNanos of the ticker
    PendingMarkers(EndedTransaction transaction, long sinceNanos, CompletableFuture<Set<TopicPartition>> result) {
        this.transaction = transaction;
        this.sinceNanos = sinceNanos;
        this.result = result;
        missing = new HashSet<>(transaction.partitions());
    }

    EndedTransaction transaction() {
        return transaction;
    }

    long sinceNanos() {
        return sinceNanos;
    }

    CompletableFuture<Set<TopicPartition>> result() {
        return result;
    }

    int missing() {
        return missing.size();
    }

    /// That one has a marker of a later coordinator.
    void refused(TopicPartition partition) {
        refused.add(partition);
    }

    Set<TopicPartition> refused() {
        return Set.copyOf(refused);
    }

    /// @return whether that was the last one
    boolean written(TopicPartition partition) {
        return missing.remove(partition) && missing.isEmpty();
    }
}
