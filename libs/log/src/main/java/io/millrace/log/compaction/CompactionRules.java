package io.millrace.log.compaction;

/// Kafka's topic settings on compaction.
///
/// @param compact whether `cleanup.policy` has `compact`
/// @param deleteRetentionMs `delete.retention.ms`: how long tombstones stay after the first cleaning
/// @param minCleanableDirtyRatio `min.cleanable.dirty.ratio`
/// @param minCompactionLagMs `min.compaction.lag.ms`
/// @param maxCompactionLagMs `max.compaction.lag.ms`
public record CompactionRules(boolean compact, long deleteRetentionMs, double minCleanableDirtyRatio,
        long minCompactionLagMs, long maxCompactionLagMs) {}
