package io.millrace.coordinator.marker;

import java.util.Set;
import java.util.concurrent.CompletableFuture;

import org.apache.kafka.common.TopicPartition;

/// Writes the markers of transactions. Callable from any thread.
@FunctionalInterface
public interface Markers {

    /// Completes, on any thread, once each partition of the transaction has its marker, is gone, or has one of a later
    /// coordinator's epoch; that takes as long as it takes. Once the future is cancelled nothing more is sent.
    ///
    /// @return the partitions that refuse the marker for a later coordinator: a later owner of the shard has written one, or
    ///         somebody in the name of one that is to come
    CompletableFuture<Set<TopicPartition>> write(EndedTransaction transaction);
}
