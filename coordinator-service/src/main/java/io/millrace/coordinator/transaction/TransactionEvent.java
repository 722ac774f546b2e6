package io.millrace.coordinator.transaction;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

import org.apache.kafka.common.TopicPartition;

/// What happens to a transactional id.
public sealed interface TransactionEvent {

    /// A producer begins: it gets an id and an epoch, and whoever had one before is fenced.
    ///
    /// @param expectedId what this producer had before, [Transaction#NO_ID] where it comes for the first time
    /// @param expectedEpoch the same
    /// @param freshId a producer id that nobody has, [Transaction#NO_ID] where none was asked for yet
    record Init(int timeoutMillis, long expectedId, short expectedEpoch, long freshId) implements TransactionEvent {
        boolean names(Transaction now) {
            return expectedId == now.producerId() || now.isNext(expectedId, expectedEpoch) || (expectedId == now
                    .stored().previousProducerId()
                    && expectedEpoch >= Transaction.LAST_GIVEN_EPOCH);
        }

        boolean expects() {
            return expectedId != Transaction.NO_ID;
        }
    }

    /// Partitions are about to be written.
    ///
    /// @param version transaction version that the client speaks
    record Add(long producerId, short epoch, Set<TopicPartition> partitions, short version)
            implements
                TransactionEvent {
        public Add {
            partitions = Collections.unmodifiableSet(new LinkedHashSet<>(partitions));
        }
    }

    /// The producer ends its transaction.
    ///
    /// @param version transaction version that the client speaks
    /// @param freshId as of [Init]
    record End(long producerId, short epoch, boolean commit, short version, long freshId)
            implements
                TransactionEvent {
        boolean bumps() {
            return version >= Transaction.EPOCH_BUMPS;
        }
    }

    /// Time to look whether the transaction takes too long.
    record Tick() implements TransactionEvent {}

    /// All markers of the transaction are written.
    record MarkersWritten() implements TransactionEvent {}
}
