package io.millrace.coordinator.storage;

/// A transaction ended here.
///
/// @param commit whether it was committed
public record StoredMarker(long offset, long producerId, boolean commit) implements Stored {}
