package io.millrace.log.retention;

/// Kafka's topic settings on what is kept.
///
/// @param delete whether `cleanup.policy` has `delete`; else only what lies below the log start offset goes
/// @param retentionMs `retention.ms`; -1 for ever
/// @param retentionBytes `retention.bytes`; -1 without limit
public record RetentionRules(boolean delete, long retentionMs, long retentionBytes) {}
