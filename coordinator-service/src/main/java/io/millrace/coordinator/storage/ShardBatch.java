package io.millrace.coordinator.storage;

import java.util.List;

import io.millrace.coordinator.record.EncodedRecord;

/// What one append brings to a shard's log.
///
/// @param records none for a marker
public record ShardBatch(Origin origin, List<EncodedRecord> records) {
    public ShardBatch {
        records = List.copyOf(records);
    }

    /// Records of the coordinator itself.
    public static ShardBatch plain(List<EncodedRecord> records) {
        return new ShardBatch(new Origin.Coordinator(), records);
    }

    /// In whose name a batch is written.
    public sealed interface Origin {
        /// The coordinator's own.
        record Coordinator() implements Origin {}

        /// A part of a producer's transaction.
        record Transaction(long producerId, short epoch) implements Origin {}

        /// The end of a producer's transaction.
        ///
        /// @param coordinatorEpoch of the transaction coordinator's shard
        record Marker(long producerId, short epoch, boolean commit, int coordinatorEpoch) implements Origin {}
    }
}
