package io.millrace.coordinator.shard;

import java.time.Duration;

import io.millrace.coordinator.group.GroupLimits;

/// What the groups of a shard are allowed and told.
///
/// @param maxMetadataBytes `offset.metadata.max.bytes`
/// @param retention `offsets.retention.minutes`
/// @param retentionCheck `offsets.retention.check.interval.ms`
public record ShardSettings(GroupLimits limits, int maxMetadataBytes, Duration retention, Duration retentionCheck) {}
