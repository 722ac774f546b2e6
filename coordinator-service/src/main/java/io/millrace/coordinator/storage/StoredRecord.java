package io.millrace.coordinator.storage;

import java.nio.ByteBuffer;

import org.jspecify.annotations.Nullable;

/// A record as it was read.
///
/// @param key null in records that a foreign producer wrote
/// @param value null for a tombstone
/// @param producerId whose transaction it is a part of; [#NO_TRANSACTION] for none
public record StoredRecord(long offset, @Nullable ByteBuffer key, @Nullable ByteBuffer value, long producerId)
        implements
            Stored {
    /// In place of a producer id.
    public static final long NO_TRANSACTION = -1;

    /// A record of no transaction.
    public StoredRecord(long offset, @Nullable ByteBuffer key, @Nullable ByteBuffer value) {
        this(offset, key, value, NO_TRANSACTION);
    }
}
