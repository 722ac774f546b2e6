package io.millrace.log.producer;

/// The last of a producer in a log.
///
/// @param lastDataOffset last offset of its last data batch; -1 where none is known
/// @param epoch the producer's
public record LastBatch(long lastDataOffset, short epoch) {}
