package io.millrace.tests.simulation;

import io.millrace.metadata.command.AlterPartition;
import io.millrace.metadata.command.AlterPartition.InSync;
import io.millrace.metadata.command.AlterPartition.Proposal;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.NodeImage;
import io.millrace.metadata.image.PartitionImage;

/// Makes proposals of former leaders, and of what is long over, look like the newest of whoever leads now:
/// [Flaw#TAKES_OLD_PROPOSALS].
final class OldProposals {
    private OldProposals() {}

    static AlterPartition asNew(AlterPartition command, ClusterImage image) {
        var proposals = command.proposals().stream().map(proposal -> image.topic(proposal.topicId()).flatMap(
                topic -> topic.partition(proposal.partition())).map(now -> asNew(proposal, now)).orElse(proposal)).toList();
        int broker = proposals.size() == 1
                ? image.topic(proposals.getFirst().topicId()).flatMap(topic -> topic.partition(proposals.getFirst()
                        .partition())).map(PartitionImage::leader).orElse(command.brokerId())
                : command.brokerId();
        return new AlterPartition(broker, image.broker(broker).map(NodeImage::epoch).orElse(command.brokerEpoch()),
                proposals);
    }

    private static Proposal asNew(Proposal proposal, PartitionImage now) {
        return new Proposal(proposal.topicId(), proposal.partition(), now.leaderEpoch(), now.partitionEpoch(), proposal
                .isr().stream().map(member -> new InSync(member.broker(), AlterPartition.ANY_EPOCH)).toList());
    }
}
