package io.millrace.coordinator.shard;

import java.time.Duration;

/// What transactions are allowed and told.
///
/// @param maxTimeoutMillis `transaction.max.timeout.ms`
/// @param idExpiration `transactional.id.expiration.ms`
/// @param abortCheck `transaction.abort.timed.out.transaction.cleanup.interval.ms`
/// @param expiryCheck `transaction.remove.expired.transaction.cleanup.interval.ms`
/// @param patience how long a request waits for the end of the transaction before it; then its client is told to ask again
public record TransactionSettings(int maxTimeoutMillis, Duration idExpiration, Duration abortCheck,
        Duration expiryCheck, Duration patience) {}
