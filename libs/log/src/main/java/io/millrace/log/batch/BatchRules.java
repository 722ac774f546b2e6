package io.millrace.log.batch;

import org.jspecify.annotations.Nullable;

/// Kafka's topic settings on what producers may send.
///
/// @param maxMessageBytes `max.message.bytes`
/// @param logAppendTime whether `message.timestamp.type` is `LogAppendTime`
/// @param timestampBeforeMaxMs `message.timestamp.before.max.ms`
/// @param timestampAfterMaxMs `message.timestamp.after.max.ms`
/// @param keysNeeded whether the topic is compacted, so that a record without a key has no meaning
/// @param codec what `compression.type` asks for; null for `producer`, which keeps what was sent
public record BatchRules(int maxMessageBytes, boolean logAppendTime, long timestampBeforeMaxMs,
        long timestampAfterMaxMs, boolean keysNeeded, @Nullable Codec codec) {}
