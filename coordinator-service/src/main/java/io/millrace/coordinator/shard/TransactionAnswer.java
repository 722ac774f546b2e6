package io.millrace.coordinator.shard;

import org.apache.kafka.common.protocol.Errors;

/// What a producer is told.
///
/// @param producerId -1 with an error
/// @param epoch -1 with an error
public record TransactionAnswer(Errors error, long producerId, short epoch) {
    static TransactionAnswer refused(Errors error) {
        return new TransactionAnswer(error, -1, (short) -1);
    }
}
