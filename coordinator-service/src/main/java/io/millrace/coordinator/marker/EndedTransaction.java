package io.millrace.coordinator.marker;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

import org.apache.kafka.common.TopicPartition;

/// A transaction whose end is decided and stored.
///
/// @param coordinatorEpoch of the shard that decided
/// @param version transaction version that its client speaks
public record EndedTransaction(String transactionalId, long producerId, short epoch, boolean commit,
        int coordinatorEpoch, short version, Set<TopicPartition> partitions) {
    public EndedTransaction {
        partitions = Collections.unmodifiableSet(new LinkedHashSet<>(partitions));
    }
}
