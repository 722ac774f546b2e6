package io.millrace.coordinator.shard;

import java.time.Duration;

import io.millrace.base.check.Check;
import io.millrace.coordinator.group.GroupLimits;

/// What a shard is allowed and told.
///
/// @param maxBatchBytes keys and values of one append, where more than one record is waiting
/// @param maxWaitingBytes of records that wait to be appended; beyond, clients are told to try again
/// @param maxMetadataBytes `offset.metadata.max.bytes`
/// @param retention `offsets.retention.minutes`
/// @param retentionCheck `offsets.retention.check.interval.ms`
public record ShardSettings(GroupLimits limits, int maxBatchBytes, long maxWaitingBytes, int maxMetadataBytes,
        Duration retention, Duration retentionCheck) {
    public ShardSettings {
        Check.argument(maxBatchBytes > 0 && maxWaitingBytes > 0, "maxBatchBytes=%d maxWaitingBytes=%d", maxBatchBytes,
                maxWaitingBytes);
    }
}
