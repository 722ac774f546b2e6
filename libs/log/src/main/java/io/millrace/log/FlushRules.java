package io.millrace.log;

/// Kafka's topic settings on fsync. Both are off by default: replicas keep data safe, and the system writes when it likes.
///
/// @param messages `flush.messages`: an fsync is begun once that many records wait for one
/// @param ms `flush.ms`: no record waits longer for one, by [PartitionLog#flushIfDue]
public record FlushRules(long messages, long ms) {}
