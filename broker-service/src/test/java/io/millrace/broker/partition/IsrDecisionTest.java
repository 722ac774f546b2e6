package io.millrace.broker.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import io.millrace.broker.partition.IsrDecision.Candidate;
import org.junit.jupiter.api.Test;

class IsrDecisionTest {
    private static final long HIGH_WATERMARK = 10;
    private static final long REIGN_START = 5;
    private static final long LEADER_END = 20;

    @Test
    void followerThatFellBehindLeavesWhenItIsTimeToLook() {
        var behind = new Candidate(2, 12, false, true);
        assertThat(next(List.of(1, 2, 3), true, behind, inSync(3))).containsExactly(1, 3);
        assertThat(next(List.of(1, 2, 3), false, behind, inSync(3))).containsExactly(1, 2, 3);
    }

    @Test
    void followerThatHasAllThatIsReplicatedJoinsAtTheEnd() {
        assertThat(next(List.of(2, 0), false, inSync(0), new Candidate(1, HIGH_WATERMARK, false, true)))
                .containsExactly(2, 0, 1);
    }

    @Test
    void followerBelowTheHighWatermarkStaysOut() {
        assertThat(next(List.of(1), false, new Candidate(2, HIGH_WATERMARK - 1, true, true))).containsExactly(1);
    }

    @Test
    void followerThatLacksWhatWasWrittenBeforeTheReignStaysOut() {
        assertThat(IsrDecision.next(List.of(1), List.of(new Candidate(2, 4, true, true)), 0, REIGN_START, false))
                .containsExactly(1);
    }

    @Test
    void followerThatIsFencedOrStopsStaysOut() {
        assertThat(next(List.of(1), true, new Candidate(2, LEADER_END, true, false))).containsExactly(1);
    }

    @Test
    void followerThatHasNotFetchedYetStaysOut() {
        assertThat(IsrDecision.next(List.of(1), List.of(new Candidate(2, -1, true, true)), 0, 0, false))
                .containsExactly(1);
    }

    @Test
    void oneMayJoinWhileAnotherLeaves() {
        assertThat(next(List.of(1, 2), true, new Candidate(2, 3, false, true), inSync(3))).containsExactly(1, 3);
    }

    @Test
    void nothingToChangeIsTheSameIsr() {
        var isr = List.of(1, 2);
        assertThat(next(isr, true, inSync(2))).isSameAs(isr);
    }

    @Test
    void replicatedIsWhatTheSlowestInSyncReplicaHas() {
        assertThat(replicated(List.of(1, 2, 3), new Candidate(2, 17, true, true), new Candidate(3, 14, true, true)))
                .isEqualTo(14);
    }

    @Test
    void replicaOutOfSyncIsNotWaitedFor() {
        assertThat(replicated(List.of(1, 2), new Candidate(2, 17, true, true), new Candidate(3, 2, false, true)))
                .isEqualTo(17);
    }

    @Test
    void replicaThatIsAboutToJoinIsWaitedFor() {
        assertThat(replicated(List.of(1, 2), new Candidate(2, 17, true, true), new Candidate(3, 15, true, true)))
                .isEqualTo(15);
    }

    @Test
    void replicaThatMayNotJoinIsNotWaitedFor() {
        assertThat(replicated(List.of(1, 2), new Candidate(2, 17, true, true), new Candidate(3, 15, true, false)))
                .isEqualTo(17);
    }

    @Test
    void inSyncReplicaThatHasNotFetchedInThisReignHoldsEverythingBack() {
        assertThat(replicated(List.of(1, 2), new Candidate(2, -1, true, true))).isEqualTo(-1);
    }

    @Test
    void leaderAloneReplicatesByItself() {
        assertThat(replicated(List.of(1), new Candidate(2, 3, false, false))).isEqualTo(LEADER_END);
    }

    private static Candidate inSync(int broker) {
        return new Candidate(broker, LEADER_END, true, true);
    }

    private static List<Integer> next(List<Integer> isr, boolean mayShrink, Candidate... followers) {
        return IsrDecision.next(isr, List.of(followers), HIGH_WATERMARK, REIGN_START, mayShrink);
    }

    private static long replicated(List<Integer> maximal, Candidate... followers) {
        return IsrDecision.replicatedUpTo(maximal::contains, List.of(followers), LEADER_END);
    }
}
