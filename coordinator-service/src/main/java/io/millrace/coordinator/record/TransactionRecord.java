package io.millrace.coordinator.record;

/// One change to a transactional id, as it is appended to its shard.
public sealed interface TransactionRecord {
    /// Whose it is.
    String transactionalId();

    /// The id as it is from now on.
    record TransactionPut(String transactionalId, TransactionSnapshot value) implements TransactionRecord {}

    /// The id expired: a tombstone.
    record TransactionRemoved(String transactionalId) implements TransactionRecord {}
}
