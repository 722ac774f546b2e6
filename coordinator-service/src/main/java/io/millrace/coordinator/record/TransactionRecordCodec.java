package io.millrace.coordinator.record;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Optional;

import io.millrace.coordinator.record.TransactionRecord.TransactionPut;
import io.millrace.coordinator.record.TransactionRecord.TransactionRemoved;
import org.jspecify.annotations.Nullable;

/// Keys of `__transaction_state`: int16 0, then the transactional id as a string. Other versions are passed over.
public final class TransactionRecordCodec {
    private static final short KEY = 0;

    private TransactionRecordCodec() {}

    /// The record as Kafka 4 writes it once `transaction.version` is above 0; Kafka 3.6 and later read it.
    public static EncodedRecord encode(TransactionRecord record) {
        var key = new SchemaWriter().int16(KEY).string(record.transactionalId()).bytes();
        return switch (record) {
            case TransactionPut(_, var value) -> new EncodedRecord(key, TransactionValues.encode(value));
            case TransactionRemoved _ -> new EncodedRecord(key, null);
        };
    }

    /// The record that `key` and `value` stand for; empty for kinds of record that this version does not know.
    ///
    /// @param value null for a tombstone
    /// @throws MalformedRecord where the bytes end too early or their value has an unknown version
    public static Optional<TransactionRecord> decode(ByteBuffer key, @Nullable ByteBuffer value) {
        try {
            var in = new SchemaReader(key);
            if (in.int16() != KEY) {
                return Optional.empty();
            }
            var id = in.string(false);
            return Optional.of(value == null
                    ? new TransactionRemoved(id)
                    : new TransactionPut(id, TransactionValues.decode(new SchemaReader(value))));
        } catch (BufferUnderflowException | IllegalArgumentException cause) {
            throw new MalformedRecord("key of " + key.limit() + " bytes, value of "
                    + (value == null ? "none" : value.limit() + " bytes"), cause);
        }
    }
}
