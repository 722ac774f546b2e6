package io.millrace.coordinator.storage;

/// An entry of a shard's log, as it was read.
public sealed interface Stored permits StoredRecord, StoredMarker {
    /// Its offset.
    long offset();
}
