package io.millrace.coordinator.record;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

import org.apache.kafka.common.TopicPartition;

/// A transactional id as it is stored.
///
/// @param producerId in use
/// @param previousProducerId that `producerId` took the place of, [#NONE] for none
/// @param nextProducerId that will take its place once the transaction is complete, [#NONE] for none
/// @param timeoutMillis after which the coordinator aborts
/// @param partitions in the order in which they came
/// @param updatedMillis wall time of this change
/// @param startedMillis wall time at which the transaction began, [#NONE] before there was any
/// @param clientVersion transaction version that the client speaks: 2 bumps the epoch at each end (KIP-890)
public record TransactionSnapshot(long producerId, long previousProducerId, long nextProducerId, short epoch,
        int timeoutMillis, TransactionState state, Set<TopicPartition> partitions, long updatedMillis,
        long startedMillis, short clientVersion) {
    /// In place of an id or a time.
    public static final long NONE = -1;

    public TransactionSnapshot {
        partitions = Collections.unmodifiableSet(new LinkedHashSet<>(partitions));
    }
}
