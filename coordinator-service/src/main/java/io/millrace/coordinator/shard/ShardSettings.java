package io.millrace.coordinator.shard;

import java.time.Duration;

import io.millrace.coordinator.group.GroupLimits;
import io.millrace.coordinator.group.consumer.ConsumerRules;

/// What the groups of a shard are allowed and told.
///
/// @param consumer what consumer groups go by
/// @param maxMetadataBytes `offset.metadata.max.bytes`
/// @param retention `offsets.retention.minutes`
/// @param retentionCheck `offsets.retention.check.interval.ms`
public record ShardSettings(GroupLimits limits, ConsumerRules consumer, int maxMetadataBytes, Duration retention,
        Duration retentionCheck) {}
