package io.millrace.controller.reassignment;

import java.util.HashSet;
import java.util.List;

import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.PartitionImage;
import io.millrace.wire.error.Refused;
import org.apache.kafka.common.protocol.Errors;

/// Whether a partition may be moved to the brokers that a request names.
public final class Targets {
    private Targets() {}

    /// A broker that holds the partition already may be down; one that is to get it must be there.
    ///
    /// @throws Refused INVALID_REPLICA_ASSIGNMENT; INVALID_REPLICATION_FACTOR where their number changes and
    ///         `replicationFactorMayChange` is false
    public static void check(List<Integer> target, PartitionImage now, boolean replicationFactorMayChange,
            ClusterImage image) {
        if (target.isEmpty()) {
            throw invalid("Empty replica list specified for partition reassignment.");
        }
        if (new HashSet<>(target).size() < target.size()) {
            throw invalid("Duplicate replica ids in partition reassignment replica list: " + target);
        }
        for (int broker : target) {
            if (broker < 0) {
                throw invalid("Invalid broker id in replica list: " + target);
            }
            if (image.coordinator(broker).isPresent()) {
                throw invalid("Node " + broker + " in the replica list " + target
                        + " is a coordinator and holds no replicas.");
            }
        }
        var coming = Assignment.of(now).toward(target).adding();
        if (!coming.stream().allMatch(broker -> image.broker(broker).isPresent())) {
            throw invalid("Replica assignment has brokers that are not alive. Replica list: " + coming
                    + ", live broker list: " + image.liveBrokers().stream().map(node -> node.id()).toList());
        }
        int before = Reassignment.replicationFactor(now);
        if (!replicationFactorMayChange && target.size() != before) {
            throw new Refused(Errors.INVALID_REPLICATION_FACTOR, "The replication factor is changed from " + before
                    + " to " + target.size() + ".");
        }
    }

    /// @throws Refused NO_REASSIGNMENT_IN_PROGRESS
    static void checkMoving(PartitionImage partition) {
        if (!partition.isMoving()) {
            throw new Refused(Errors.NO_REASSIGNMENT_IN_PROGRESS, Errors.NO_REASSIGNMENT_IN_PROGRESS.message());
        }
    }

    private static Refused invalid(String message) {
        return new Refused(Errors.INVALID_REPLICA_ASSIGNMENT, message);
    }
}
