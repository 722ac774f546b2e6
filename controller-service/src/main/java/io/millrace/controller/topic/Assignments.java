package io.millrace.controller.topic;

import java.util.HashSet;
import java.util.List;

import io.millrace.metadata.image.ClusterImage;
import io.millrace.wire.error.Refused;
import org.apache.kafka.common.protocol.Errors;

/// Replicas that a request names itself.
final class Assignments {
    private Assignments() {}

    /// @param assignments brokers by partition
    /// @param replicationFactor that each must have; those of a new topic follow the first
    /// @throws Refused INVALID_REPLICA_ASSIGNMENT where they are not sets of as many registered brokers
    static void check(List<List<Integer>> assignments, int replicationFactor, ClusterImage image) {
        for (var replicas : assignments) {
            if (replicas.isEmpty()) {
                throw invalid("The manual partition assignment includes an empty replica list.");
            }
            checkBrokers(replicas, image);
            if (replicas.size() != replicationFactor) {
                throw invalid("The manual partition assignment includes a partition with " + replicas.size()
                        + " replica(s), but this is not consistent with other partitions, which have "
                        + replicationFactor + " replica(s).");
            }
        }
    }

    private static void checkBrokers(List<Integer> replicas, ClusterImage image) {
        var seen = new HashSet<Integer>();
        for (int broker : replicas) {
            if (!seen.add(broker)) {
                throw invalid("The manual partition assignment includes the broker " + broker + " more than once.");
            }
            if (image.coordinator(broker).isPresent()) {
                throw invalid("The manual partition assignment includes node " + broker
                        + ", which is a coordinator and holds no replicas.");
            }
            if (image.broker(broker).isEmpty()) {
                throw invalid("The manual partition assignment includes broker " + broker
                        + ", but no such broker is registered.");
            }
        }
    }

    static Refused invalid(String message) {
        return new Refused(Errors.INVALID_REPLICA_ASSIGNMENT, message);
    }
}
