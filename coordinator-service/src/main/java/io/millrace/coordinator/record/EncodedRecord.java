package io.millrace.coordinator.record;

import org.jspecify.annotations.Nullable;

/// A record as it stands in a batch.
///
/// @param value null for a tombstone
public record EncodedRecord(Bytes key, @Nullable Bytes value) {
    /// Bytes of key and value together.
    public int size() {
        return key.size() + (value == null ? 0 : value.size());
    }
}
