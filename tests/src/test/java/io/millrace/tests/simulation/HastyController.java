package io.millrace.tests.simulation;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.millrace.metadata.command.AlterPartition;
import io.millrace.metadata.command.AlterPartition.Outcome;
import io.millrace.metadata.command.AlterPartition.Proposal;
import io.millrace.metadata.command.Command;
import io.millrace.metadata.command.ControllerClient;

/// Tells a leader at once that its proposal is in force, and only then asks the controller: [Flaw#ACTS_ON_PROPOSALS].
///
/// @param self the leader
record HastyController(ControllerClient controller, int self) implements ControllerClient {
    @Override
    public <R> CompletableFuture<R> send(Command<R> command, Duration timeout) {
        var sent = controller.send(command, timeout);
        return command instanceof AlterPartition alter
                ? CompletableFuture.completedFuture(command.resultType().cast(new AlterPartition.Result(alter
                        .proposals()
                        .stream().map(this::agreed).toList())))
                : sent;
    }

    private Outcome agreed(Proposal proposal) {
        return new Outcome(proposal.topicId(), proposal.partition(), (short) 0, self, proposal.leaderEpoch(), proposal
                .partitionEpoch() + 1, proposal.isr().stream().map(AlterPartition.InSync::broker).toList());
    }

    @Override
    public void close() {
        controller.close();
    }
}
