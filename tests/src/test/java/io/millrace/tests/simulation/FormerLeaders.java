package io.millrace.tests.simulation;

import io.millrace.metadata.command.AlterPartition;
import io.millrace.metadata.command.AlterPartition.InSync;
import io.millrace.metadata.command.AlterPartition.Outcome;
import io.millrace.metadata.command.AlterPartition.Proposal;
import io.millrace.metadata.image.ClusterImage;

/// Has leaders of former epochs believe that what they propose is in force: [Flaw#AGREES_WITH_FORMER_LEADERS].
///
/// @param image what the controller knows
record FormerLeaders(ClusterImage image) {

    boolean isFormer(AlterPartition command) {
        return command.proposals().stream().allMatch(this::isFormer);
    }

    private boolean isFormer(Proposal proposal) {
        return image.topic(proposal.topicId()).flatMap(topic -> topic.partition(proposal.partition())).filter(
                now -> proposal.leaderEpoch() < now.leaderEpoch()).isPresent();
    }

    AlterPartition.Result agree(AlterPartition command) {
        return new AlterPartition.Result(command.proposals().stream().map(proposal -> new Outcome(proposal.topicId(),
                proposal.partition(), (short) 0, command.brokerId(), proposal.leaderEpoch(), proposal.partitionEpoch()
                        + 1, proposal.isr().stream().map(InSync::broker).toList())).toList());
    }
}
