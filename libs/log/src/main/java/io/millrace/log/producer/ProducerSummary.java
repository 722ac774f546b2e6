package io.millrace.log.producer;

/// A producer that a log remembers, for DescribeProducers.
///
/// @param lastSequence -1 where none is known
/// @param lastTimestamp milliseconds since 1970 of its last batch
/// @param coordinatorEpoch of its last transaction marker, -1 where there was none
/// @param currentTransactionStartOffset first offset of its open transaction, -1 where there is none
public record ProducerSummary(long producerId, short producerEpoch, int lastSequence, long lastTimestamp,
        int coordinatorEpoch, long currentTransactionStartOffset) {}
