package io.millrace.broker.isr;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.base.simulation.SimulatedLoop;
import io.millrace.broker.partition.Replica;
import io.millrace.metadata.command.AlterPartition;
import io.millrace.metadata.command.AlterPartition.InSync;
import io.millrace.metadata.command.AlterPartition.Outcome;
import io.millrace.metadata.command.AlterPartition.Proposal;
import io.millrace.metadata.command.Command;
import io.millrace.metadata.command.ControllerClient;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IsrProposalsTest {
    private static final long BROKER_EPOCH = 77;

    private final SimulatedLoop loop = new SimulatedLoop();
    private final Controller controller = new Controller();
    private final Counter failed = Counter.builder("failed").register(new SimpleMeterRegistry());
    private final IsrProposals proposals = new IsrProposals(1, () -> BROKER_EPOCH, controller, loop, new Random(1),
            failed);
    private final List<Replica> leaders = new ArrayList<>();
    @TempDir
    private Path directory;

    /// Keeps the commands until the test answers them.
    private static final class Controller implements ControllerClient {
        private final List<AlterPartition> asked = new ArrayList<>();
        private final List<CompletableFuture<AlterPartition.Result>> answers = new ArrayList<>();

        @Override
        @SuppressWarnings("unchecked") // AlterPartition is the only command asked for
        public <R> CompletableFuture<R> send(Command<R> command, Duration timeout) {
            asked.add((AlterPartition) command);
            answers.add(new CompletableFuture<>());
            return (CompletableFuture<R>) answers.getLast();
        }

        void accept(int command) {
            answer(command, proposal -> new Outcome(proposal.topicId(), proposal.partition(), (short) 0, 1, proposal
                    .leaderEpoch(), proposal.partitionEpoch() + 1, proposal.isr().stream().map(InSync::broker)
                            .toList()));
        }

        void refuse(int command, Errors error) {
            answer(command, proposal -> Outcome.refused(proposal, error.code()));
        }

        private void answer(int command, java.util.function.Function<Proposal, Outcome> outcome) {
            answers.get(command).complete(new AlterPartition.Result(asked.get(command).proposals().stream().map(outcome)
                    .toList()));
        }

        @Override
        public void close() {
            // Nothing was opened.
        }
    }

    @BeforeEach
    void leaders() throws IOException {
        for (int i = 0; i < 3; i++) {
            var leader = new Replica(1, directory.resolve("leader-" + i), loop);
            leader.onProposal(proposals::submit);
            leader.told(1, 0, 0, 1, List.of(1, 2), List.of(1, 2));
            leader.append("a");
            leaders.add(leader);
        }
        loop.advance(Replica.LAG.plusSeconds(1));
    }

    @Test
    void whatGathersWhileOneCommandIsUnderWayGoesWithTheNext() {
        lose(0);
        lose(1);
        lose(2);

        assertThat(controller.asked).singleElement().satisfies(first -> {
            assertThat(first.brokerId()).isEqualTo(1);
            assertThat(first.brokerEpoch()).isEqualTo(BROKER_EPOCH);
            assertThat(first.proposals()).hasSize(1);
        });
        controller.accept(0);
        loop.runPending();
        assertThat(controller.asked).hasSize(2);
        assertThat(controller.asked.getLast().proposals()).hasSize(2);
    }

    @Test
    void acceptedIsrIsInForceAtOnce() {
        lose(0);

        controller.accept(0);
        loop.runPending();

        assertThat(leaders.getFirst().log().highWatermark()).isEqualTo(1);
        assertThat(failed.count()).isZero();
    }

    @Test
    void unansweredCommandIsRepeatedEverMoreSeldomUntilItIsAnswered() {
        lose(0);
        for (int i = 0; i < 10; i++) {
            controller.answers.getLast().completeExceptionally(new TimeoutException("no answer"));
            loop.advance(Duration.ofSeconds(2));
        }
        assertThat(controller.asked).hasSize(11).allMatch(command -> command.proposals().equals(controller.asked
                .getFirst().proposals()));

        controller.accept(10);
        loop.runPending();

        assertThat(leaders.getFirst().log().highWatermark()).isEqualTo(1);
        assertThat(failed.count()).isEqualTo(10);
    }

    @Test
    void commandsDoNotComeInAStormWhileNoControllerIsThere() {
        lose(0);
        long until = loop.ticker().nanos() + Duration.ofSeconds(20).toNanos();
        while (loop.ticker().nanos() < until) {
            if (!controller.answers.getLast().isDone()) {
                controller.answers.getLast().completeExceptionally(new IOException("connection refused"));
            }
            lose(1);
            loop.advance(Duration.ofMillis(10));
        }

        assertThat(controller.asked).hasSizeLessThan(25);
    }

    @Test
    void leaderWhoseStateMovedOnIsNotAskedForAgain() {
        lose(0);
        leaders.getFirst().told(1, 0, 5, 1, List.of(1), List.of(1, 2));

        controller.answers.getLast().completeExceptionally(new TimeoutException("no answer"));
        loop.advance(Duration.ofSeconds(5));

        assertThat(controller.asked).hasSize(1);
    }

    @Test
    void refusedProposalIsLookedAtAgainAfterItsTime() {
        lose(0);

        controller.refuse(0, Errors.INVALID_UPDATE_VERSION);
        loop.advance(Duration.ofMillis(900));
        assertThat(controller.asked).hasSize(1);
        loop.advance(Duration.ofMillis(200));

        assertThat(controller.asked).hasSize(2);
        assertThat(failed.count()).isEqualTo(1);
    }

    @Test
    void refusalOfOneDoesNotKeepAnotherFromItsIsr() {
        lose(0);
        lose(1);
        lose(2);
        controller.refuse(0, Errors.INVALID_UPDATE_VERSION);
        loop.runPending();

        controller.accept(1);
        loop.runPending();

        assertThat(leaders.get(1).log().highWatermark()).isEqualTo(1);
        assertThat(leaders.get(2).log().highWatermark()).isEqualTo(1);
        assertThat(leaders.getFirst().log().highWatermark()).isZero();
    }

    /// The follower of that leader was silent for too long, which the leader notices now.
    private void lose(int leader) {
        leaders.get(leader).partition().isr().check();
        loop.runPending();
    }
}
