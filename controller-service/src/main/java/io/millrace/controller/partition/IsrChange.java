package io.millrace.controller.partition;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

import io.millrace.metadata.command.AlterPartition;
import io.millrace.metadata.command.AlterPartition.InSync;
import io.millrace.metadata.command.AlterPartition.Proposal;
import io.millrace.metadata.image.PartitionImage;
import io.millrace.wire.error.Refused;
import org.apache.kafka.common.protocol.Errors;

/// What a leader's proposal of an ISR makes of its partition, with Kafka's checks in Kafka's order (KIP-497, KIP-841,
/// KIP-903).
public final class IsrChange {
    private IsrChange() {}

    /// The partition with the ISR proposed. Where that is in force already it is `now` itself for a leader that knows an
    /// older state: its proposal was carried out, and the answer lost. A leader that knows this very state is not sure what
    /// became of an earlier proposal: it gets another partition epoch, so that what is still on its way comes to nothing.
    ///
    /// @param broker that proposes
    /// @throws Refused FENCED_LEADER_EPOCH, INVALID_UPDATE_VERSION, INELIGIBLE_REPLICA, INVALID_REQUEST, or NOT_CONTROLLER
    ///         where the leader knows a state that is newer
    public static PartitionImage of(PartitionImage now, int broker, Proposal proposal, LiveReplicas live) {
        checkLeader(now, broker, proposal);
        var proposed = proposal.isr().stream().map(InSync::broker).toList();
        checkReplicas(now, broker, proposed);
        if (new HashSet<>(proposed).equals(new HashSet<>(now.isr()))) {
            return proposal.partitionEpoch() < now.partitionEpoch() ? now : Leadership.confirmed(now);
        }
        if (proposal.partitionEpoch() != now.partitionEpoch()) {
            throw refused(Errors.INVALID_UPDATE_VERSION, "partition epoch is " + now.partitionEpoch() + " and not "
                    + proposal.partitionEpoch());
        }
        var brokers = live.of(proposal.topicId(), proposal.partition());
        checkEligible(now, proposal, live, brokers);
        return Leadership.with(now, now.leader(), ordered(now, proposed), brokers);
    }

    private static void checkLeader(PartitionImage now, int broker, Proposal proposal) {
        if (proposal.leaderEpoch() > now.leaderEpoch() || proposal.partitionEpoch() > now.partitionEpoch()) {
            throw refused(Errors.NOT_CONTROLLER, "the leader knows a newer state, of another controller");
        }
        if (proposal.leaderEpoch() < now.leaderEpoch()) {
            throw refused(Errors.FENCED_LEADER_EPOCH, "leader epoch is " + now.leaderEpoch() + " and not " + proposal
                    .leaderEpoch());
        }
        if (now.leader() != broker) {
            throw refused(Errors.INVALID_REQUEST, "broker " + broker + " does not lead, " + now.leader() + " does");
        }
    }

    private static void checkReplicas(PartitionImage now, int leader, List<Integer> proposed) {
        if (!proposed.contains(leader)) {
            throw refused(Errors.INVALID_REQUEST, "an ISR without the leader");
        }
        if (new HashSet<>(proposed).size() != proposed.size() || !now.replicas().containsAll(proposed)) {
            throw refused(Errors.INVALID_REQUEST, "ISR " + proposed + " is no part of replicas " + now.replicas());
        }
    }

    /// Who is in the ISR already stays there until it is seen to be gone; also a leader that is shutting down, which can
    /// hand over only to who comes in now.
    private static void checkEligible(PartitionImage now, Proposal proposal, LiveReplicas live, Brokers brokers) {
        for (var member : proposal.isr()) {
            boolean joins = !now.isr().contains(member.broker());
            boolean another = member.brokerEpoch() != AlterPartition.ANY_EPOCH && !live.isEpoch(member.broker(), member
                    .brokerEpoch());
            if (another || (joins && !brokers.mayLead().test(member.broker()))) {
                throw refused(Errors.INELIGIBLE_REPLICA, "broker " + member.broker()
                        + " is fenced, shutting down, or of another epoch");
            }
        }
    }

    /// In Kafka's order: who stays keeps its place, who comes in goes to the end.
    private static List<Integer> ordered(PartitionImage now, List<Integer> proposed) {
        var isr = new ArrayList<>(now.isr());
        isr.retainAll(proposed);
        now.replicas().stream().filter(proposed::contains).filter(id -> !now.isr().contains(id)).forEach(isr::add);
        return isr;
    }

    private static Refused refused(Errors error, String message) {
        return new Refused(error, message);
    }
}
