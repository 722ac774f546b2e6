package io.millrace.broker.transaction;

import java.util.Set;

import org.apache.kafka.common.TopicPartition;

/// Whether a transaction has these partitions.
///
/// @param adds whether the coordinator takes into it what is not in it yet (transactions v2)
public record Question(String transactionalId, long producerId, short producerEpoch, boolean adds,
        Set<TopicPartition> partitions) {
    public Question {
        partitions = Set.copyOf(partitions);
    }

    /// Whether both may go as one.
    boolean joins(Question other) {
        return transactionalId.equals(other.transactionalId) && producerId == other.producerId
                && producerEpoch == other.producerEpoch && adds == other.adds;
    }
}
