package io.millrace.broker.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

import io.millrace.base.simulation.SimulatedLoop;
import io.millrace.metadata.command.AlterPartition.InSync;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What becomes of a leader's proposals, and what it holds for possible meanwhile.
class IsrProposingTest {
    private final SimulatedLoop loop = new SimulatedLoop();
    @TempDir
    private Path directory;
    private Replica leader;
    private Replica follower;

    @SuppressWarnings("NullAway.Init") // JUnit
    IsrProposingTest() {}

    /// One leads alone, two is about to join.
    @BeforeEach
    void start() throws IOException {
        leader = new Replica(1, directory.resolve("1"), loop);
        follower = new Replica(2, directory.resolve("2"), loop);
        tell(0, List.of(1));
        leader.append("a");
        follower.fetchFrom(leader);
        follower.fetchFrom(leader);
    }

    @AfterEach
    void stop() {
        leader.close();
        follower.close();
    }

    @Test
    void proposalSaysWhatItChangesAndUnderWhichRegistrationsReplicasFetched() {
        var proposal = Objects.requireNonNull(leader.proposal()).proposal();

        assertThat(proposal.leaderEpoch()).isZero();
        assertThat(proposal.partitionEpoch()).isZero();
        assertThat(proposal.isr()).containsExactly(new InSync(1, 100), new InSync(2, -1));
    }

    @Test
    void nothingElseIsProposedWhileOneIsUnderWay() {
        Objects.requireNonNull(leader.proposal());

        follower.fetchFrom(leader);
        leader.partition().isr().check();

        assertThat(leader.proposal()).isNull();
    }

    @Test
    void answerAndMetadataMayComeInAnyOrder() {
        var proposal = Objects.requireNonNull(leader.proposal());
        tell(1, List.of(1, 2));

        Proposals.accept(proposal, 1);

        assertThat(leader.partition().role()).isEqualTo(new ReplicaRole.Leader(0, 1, List.of(1, 2)));
        leader.append("b");
        assertThat(leader.highWatermark()).isEqualTo(1);
    }

    @Test
    void lateAnswerOfAFormerStateChangesNothing() {
        var proposal = Objects.requireNonNull(leader.proposal());
        tell(2, List.of(1));

        Proposals.accept(proposal, 1);

        assertThat(leader.partition().role()).isEqualTo(new ReplicaRole.Leader(0, 2, List.of(1)));
    }

    @Test
    void memberThatMayNotJoinIsNotWaitedForAfterTheRefusal() {
        var proposal = Objects.requireNonNull(leader.proposal());
        leader.eligible((_, _) -> false);

        leader.partition().isr().answered(proposal, Proposals.refused(proposal, Errors.INELIGIBLE_REPLICA));
        leader.append("b");

        assertThat(leader.highWatermark()).isEqualTo(2);
    }

    @Test
    void memberThatMayHaveJoinedIsWaitedForAfterTheRefusalOfAnOldState() {
        var proposal = Objects.requireNonNull(leader.proposal());
        leader.eligible((_, _) -> false);

        leader.partition().isr().answered(proposal, Proposals.refused(proposal, Errors.INVALID_UPDATE_VERSION));
        leader.append("b");

        assertThat(leader.highWatermark()).isEqualTo(1);
    }

    @Test
    void memberThatMayHaveJoinedWithAnUnansweredTryIsWaitedForWhateverTheNextTryIsTold() {
        var proposal = Objects.requireNonNull(leader.proposal());
        leader.partition().isr().unanswered(proposal);
        leader.eligible((_, _) -> false);

        var again = Objects.requireNonNull(leader.partition().isr().proposal(100));
        assertThat(again.proposal()).isEqualTo(proposal.proposal());
        leader.partition().isr().answered(again, Proposals.refused(again, Errors.INELIGIBLE_REPLICA));
        leader.append("b");

        assertThat(leader.highWatermark()).isEqualTo(1);
    }

    @Test
    void refusedLeaderAsksAgainEverMoreSeldomAndNotWithEachFetch() {
        var waits = new java.util.ArrayList<Duration>();
        for (int i = 0; i < 8; i++) {
            var proposal = Objects.requireNonNull(leader.proposal());
            var wait = Objects.requireNonNull(leader.partition().isr().answered(proposal, Proposals.refused(proposal,
                    Errors.INVALID_UPDATE_VERSION)));
            waits.add(wait);
            for (int fetch = 0; fetch < 20; fetch++) {
                follower.fetchFrom(leader);
            }
            assertThat(leader.proposal()).as("before its time").isNull();
            loop.advance(wait);
            leader.partition().isr().check();
        }

        assertThat(waits).startsWith(Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofSeconds(4)).endsWith(
                Duration.ofSeconds(32), Duration.ofSeconds(32));
    }

    @Test
    void newerStateHealsALeaderThatWasRefused() {
        var proposal = Objects.requireNonNull(leader.proposal());
        leader.partition().isr().answered(proposal, Proposals.refused(proposal, Errors.INVALID_UPDATE_VERSION));

        tell(5, List.of(1));

        assertThat(Objects.requireNonNull(leader.proposal()).proposal().partitionEpoch()).isEqualTo(5);
    }

    @Test
    void leaderAsksForWhatItWantsWhereItDoesNotKnowWhatIsInForce() {
        var proposal = Objects.requireNonNull(leader.proposal());
        leader.eligible((_, _) -> false);
        var wait = Objects.requireNonNull(leader.partition().isr().answered(proposal, Proposals.refused(proposal,
                Errors.INVALID_UPDATE_VERSION)));
        loop.advance(wait);

        leader.partition().isr().check();

        assertThat(Proposals.isr(leader.proposal())).containsExactly(1);
    }

    @Test
    void deposedLeaderAsksForNothing() {
        leader.told(2, 1, 1, 1, List.of(1, 2), List.of(1, 2));

        assertThat(leader.proposal()).isNull();
    }

    private void tell(int partitionEpoch, List<Integer> isr) {
        for (var replica : List.of(leader, follower)) {
            replica.told(1, 0, partitionEpoch, 1, isr, List.of(1, 2));
        }
    }
}
