package io.millrace.controller.topic;

import io.millrace.wire.error.Refused;
import org.apache.kafka.common.protocol.Errors;

/// How many replicas a partition may have.
final class Replication {
    private Replication() {}

    /// @throws Refused INVALID_REPLICATION_FACTOR
    static void check(int replicationFactor, int liveBrokers) {
        if (replicationFactor <= 0) {
            throw refused("Replication factor must be larger than 0, or -1 to use the default value.");
        }
        if (replicationFactor > liveBrokers) {
            throw refused("Replication factor: " + replicationFactor + " larger than available brokers: " + liveBrokers
                    + ".");
        }
    }

    private static Refused refused(String message) {
        return new Refused(Errors.INVALID_REPLICATION_FACTOR, message);
    }
}
