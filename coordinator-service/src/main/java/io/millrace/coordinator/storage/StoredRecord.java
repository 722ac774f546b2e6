package io.millrace.coordinator.storage;

import java.nio.ByteBuffer;

import org.jspecify.annotations.Nullable;

/// A record as it was read.
///
/// @param key null in records that a foreign producer wrote
/// @param value null for a tombstone
public record StoredRecord(long offset, @Nullable ByteBuffer key, @Nullable ByteBuffer value) {}
