package io.millrace.coordinator.shard;

import io.millrace.base.check.Check;

/// How much a shard appends.
///
/// @param maxBatchBytes keys and values of one append, where more than one record is waiting
/// @param maxWaitingBytes of records that wait to be appended; beyond, clients are told to try again
public record AppendLimits(int maxBatchBytes, long maxWaitingBytes) {
    public AppendLimits {
        Check.argument(maxBatchBytes > 0 && maxWaitingBytes > 0, "maxBatchBytes=%d maxWaitingBytes=%d", maxBatchBytes,
                maxWaitingBytes);
    }
}
