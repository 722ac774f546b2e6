package io.millrace.controller.reassignment;

import java.util.List;

import io.millrace.controller.partition.Brokers;
import io.millrace.controller.partition.Eligible;
import io.millrace.controller.partition.Leadership;
import io.millrace.metadata.image.EligibleReplica;
import io.millrace.metadata.image.PartitionImage;
import io.millrace.wire.error.Refused;
import org.apache.kafka.common.protocol.Errors;

/// Gives a partition other replicas. ISR and leader are always among them, and the partition epoch goes up, so that a leader
/// that proposes an ISR of the replicas before is refused.
final class Placing {
    private Placing() {}

    /// @throws Refused INVALID_REPLICA_ASSIGNMENT where none of the replicas is in sync, and `unclean` does not allow that or
    ///         does not help
    static PartitionImage of(PartitionImage now, Assignment next, Brokers brokers, boolean unclean) {
        if (Leadership.isWaiting(now)) {
            // Nobody has led it yet, so there is nothing to copy.
            var replicas = next.target();
            return Leadership.next(with(now, Assignment.settled(replicas), List.of(), PartitionImage.NO_LEADER, now
                    .partitionEpoch(), List.of()), brokers, false);
        }
        var inSync = now.isr().stream().filter(next.replicas()::contains).toList();
        var isr = inSync.isEmpty() ? outOfSync(now, next, brokers, unclean) : inSync;
        var elr = inSync.isEmpty() ? List.<EligibleReplica>of() : Eligible.after(now, isr, brokers);
        return with(now, next, isr, leader(now, next, isr, brokers), now.partitionEpoch() + 1, elr.stream().filter(
                replica -> next.replicas().contains(replica.broker())).toList());
    }

    private static List<Integer> outOfSync(PartitionImage now, Assignment next, Brokers brokers, boolean unclean) {
        return next.replicas()
                .stream()
                .filter(replica -> unclean && brokers.mayLead().test(replica))
                .findFirst()
                .map(List::of)
                .orElseThrow(() -> new Refused(Errors.INVALID_REPLICA_ASSIGNMENT, "None of the replicas "
                        + next.replicas() + " is in sync (the ISR is " + now.isr()
                        + "): moving there would take an unclean leader election."));
    }

    /// The leader stays where it can. A broker that is shutting down leads where nobody else can.
    private static int leader(PartitionImage now, Assignment next, List<Integer> isr, Brokers brokers) {
        if (isr.contains(now.leader())) {
            return now.leader();
        }
        var candidates = next.replicas().stream().filter(isr::contains).toList();
        return candidates.stream()
                .filter(brokers.mayLead()::test)
                .findFirst()
                .or(() -> candidates.stream().filter(brokers.alive()::test).findFirst())
                .orElse(PartitionImage.NO_LEADER);
    }

    private static PartitionImage with(PartitionImage now, Assignment next, List<Integer> isr, int leader,
            int partitionEpoch, List<EligibleReplica> elr) {
        int leaderEpoch = leader == now.leader() ? now.leaderEpoch() : now.leaderEpoch() + 1;
        return new PartitionImage(now.partition(), next.replicas(), isr, next.adding(), next.removing(), leader,
                leaderEpoch, partitionEpoch, elr);
    }
}
