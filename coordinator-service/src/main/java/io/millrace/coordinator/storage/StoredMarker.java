package io.millrace.coordinator.storage;

/// A transaction ended here.
///
/// @param commit whether it was committed
/// @param coordinatorEpoch of the shard that decided so
public record StoredMarker(long offset, long producerId, boolean commit, int coordinatorEpoch) implements Stored {}
