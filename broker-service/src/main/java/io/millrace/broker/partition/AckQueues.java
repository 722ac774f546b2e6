package io.millrace.broker.partition;

import io.millrace.log.PartitionLog;
import io.millrace.wire.error.Refused;

/// The batches that wait while this broker leads a partition.
///
/// @param replicas for all in-sync replicas
/// @param disk for this broker's disk alone
record AckQueues(AckQueue replicas, AckQueue disk) {
    static AckQueues of(PartitionLog log) {
        return new AckQueues(new AckQueue(log::highWatermark), new AckQueue(log::durableEnd));
    }

    /// Lets `wait` wait for what it waits for, unless that is so already.
    void add(AckWait wait, long lastOffset) {
        (wait.forReplicas() ? replicas : disk).add(wait, lastOffset);
    }

    /// This broker leads no longer: ends all waits.
    void close(Refused reason) {
        replicas.close(reason);
        disk.close(reason);
    }
}
