package io.millrace.coordinator.marker;

import org.apache.kafka.common.TopicPartition;

/// One marker for one partition.
///
/// @param attempt how often it was tried before
record MarkerPiece(PendingMarkers of, TopicPartition partition, int attempt) {
    EndedTransaction transaction() {
        return of.transaction();
    }

    MarkerPiece again() {
        return new MarkerPiece(of, partition, attempt + 1);
    }
}
