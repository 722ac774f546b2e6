package io.millrace.broker.partition;

import io.millrace.metadata.command.AlterPartition.Proposal;

/// What a leader asks the controller, and where the answer belongs: [IsrUpkeep#answered], [IsrUpkeep#unanswered].
///
/// @param proposal as it is sent
public record IsrProposal(Partition partition, Proposal proposal, IsrProposing.Asked asked) {}
