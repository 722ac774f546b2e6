package io.millrace.controller.reassignment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Set;

import io.millrace.controller.partition.Brokers;
import io.millrace.controller.partition.Leadership;
import io.millrace.metadata.image.PartitionImage;
import io.millrace.wire.error.Refused;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;

class ReassignmentTest {
    private static final Brokers ALL = alive(1, 2, 3, 4, 5);

    private static Brokers alive(Integer... ids) {
        return new Brokers(Set.of(ids)::contains, Set.of(ids)::contains);
    }

    /// Led by the first of the ISR at leader epoch 7, partition epoch 20.
    private static PartitionImage partition(List<Integer> replicas, List<Integer> isr) {
        return new PartitionImage(0, replicas, isr, List.of(), List.of(), isr.getFirst(), 7, 20);
    }

    private static PartitionImage moving(List<Integer> replicas, List<Integer> adding, List<Integer> removing,
            List<Integer> isr, int leader) {
        return new PartitionImage(0, replicas, isr, adding, removing, leader, 7, 20);
    }

    @Test
    void moveBeginsWithTheTargetFirstAndThoseThatGoBehind() {
        var moved = Reassignment.toward(List.of(4, 2), partition(List.of(1, 2), List.of(1, 2)), ALL, false);

        assertThat(moved).isEqualTo(new PartitionImage(0, List.of(4, 2, 1), List.of(1, 2), List.of(4), List.of(1), 1, 7,
                21));
        assertThat(Reassignment.of(moved, ALL)).isEqualTo(new Reassignment.Copying(List.of(4)));
        assertThat(Reassignment.next(moved, ALL)).isEqualTo(moved);
        assertThat(Reassignment.isToward(List.of(4, 2), moved)).isTrue();
        assertThat(Reassignment.isToward(List.of(2, 4), moved)).isFalse();
        assertThat(Reassignment.replicationFactor(moved)).isEqualTo(2);
    }

    @Test
    void allTargetsInSyncEndTheMoveAndALeaderThatGoesHandsOver() {
        var done = Reassignment.next(moving(List.of(4, 2, 1), List.of(4), List.of(1), List.of(1, 2, 4), 1), ALL);

        assertThat(done).isEqualTo(new PartitionImage(0, List.of(4, 2), List.of(2, 4), List.of(), List.of(), 4, 8, 21));
    }

    @Test
    void leaderThatStaysLeadsOnInItsEpochThoughItIsNotPreferred() {
        var done = Reassignment.next(moving(List.of(4, 2, 1), List.of(4), List.of(1), List.of(1, 2, 4), 2), ALL);

        assertThat(done).isEqualTo(new PartitionImage(0, List.of(4, 2), List.of(2, 4), List.of(), List.of(), 2, 7, 21));
    }

    @Test
    void firstTargetThatIsAliveTakesOver() {
        var now = moving(List.of(4, 2, 1), List.of(4), List.of(1), List.of(1, 2, 4), 1);

        assertThat(Reassignment.next(now, alive(1, 2)).leader()).isEqualTo(2);
    }

    @Test
    void oldLeaderGoesOnWhileNoTargetCanLead() {
        var now = moving(List.of(4, 1), List.of(4), List.of(1), List.of(1, 4), 1);

        assertThat(Reassignment.of(now, alive(1))).isEqualTo(new Reassignment.Waiting());
        assertThat(Reassignment.next(now, alive(1))).isEqualTo(now);
        assertThat(Reassignment.next(now, alive(1, 4)).leader()).isEqualTo(4);
    }

    @Test
    void otherOrderAndFewerReplicasNeedNoCopying() {
        var now = partition(List.of(1, 2, 3), List.of(1, 2, 3));

        var reordered = Reassignment.toward(List.of(3, 1, 2), now, ALL, false);
        var fewer = Reassignment.next(Reassignment.toward(List.of(3, 2), now, ALL, false), ALL);

        assertThat(reordered).isEqualTo(new PartitionImage(0, List.of(3, 1, 2), List.of(1, 2, 3), List.of(), List.of(),
                1, 7, 21));
        assertThat(Reassignment.of(reordered, ALL)).isEqualTo(new Reassignment.Settled());
        assertThat(fewer).isEqualTo(new PartitionImage(0, List.of(3, 2), List.of(2, 3), List.of(), List.of(), 3, 8,
                22));
    }

    @Test
    void callingOffGoesBackAndWhatCameLeavesTheIsr() {
        var now = moving(List.of(4, 2, 1), List.of(4), List.of(1), List.of(1, 2, 4), 4);

        var back = Reassignment.callOff(now, ALL, false);

        assertThat(back).isEqualTo(new PartitionImage(0, List.of(2, 1), List.of(1, 2), List.of(), List.of(), 2, 8, 21));
    }

    @Test
    void nothingCanBeCalledOffWhereNothingMoves() {
        refused(() -> Reassignment.callOff(partition(List.of(1), List.of(1)), ALL, false),
                Errors.NO_REASSIGNMENT_IN_PROGRESS);
    }

    @Test
    void noMoveLeavesNobodyInSyncUnlessUncleanElectionIsAllowed() {
        var now = moving(List.of(4, 1), List.of(4), List.of(1), List.of(4), 4);

        refused(() -> Reassignment.callOff(now, ALL, false), Errors.INVALID_REPLICA_ASSIGNMENT);
        refused(() -> Reassignment.callOff(now, alive(4), true), Errors.INVALID_REPLICA_ASSIGNMENT);
        refused(() -> Reassignment.toward(List.of(5), now, ALL, false), Errors.INVALID_REPLICA_ASSIGNMENT);
        assertThat(Reassignment.callOff(now, ALL, true)).isEqualTo(new PartitionImage(0, List.of(1), List.of(1), List
                .of(), List.of(), 1, 8, 21));
    }

    @Test
    void moveThatReplacesAnotherComesFromTheSamePlaceAndDropsWhatItDoesNotNeed() {
        var now = moving(List.of(4, 2, 1), List.of(4), List.of(1), List.of(1, 2, 4), 4);

        var other = Reassignment.toward(List.of(5, 2), now, ALL, false);

        assertThat(other).isEqualTo(new PartitionImage(0, List.of(5, 2, 1), List.of(1, 2), List.of(5), List.of(1), 2, 8,
                21));
        assertThat(Reassignment.callOff(other, ALL, false).replicas()).containsExactly(2, 1);
    }

    @Test
    void brokerThatShutsDownGetsTheLeadershipOnlyWhereNobodyElseCanHaveIt() {
        var shuttingDown = new Brokers(Set.of(1, 2)::contains, Set.of(2)::contains);
        var now = moving(List.of(4, 1, 2), List.of(4), List.of(), List.of(1, 2, 4), 4);
        var alone = moving(List.of(4, 1, 2), List.of(4), List.of(), List.of(1, 4), 4);

        assertThat(Reassignment.callOff(now, shuttingDown, false).leader()).isEqualTo(2);
        assertThat(Reassignment.callOff(alone, shuttingDown, false).leader()).isEqualTo(1);
        assertThat(Reassignment.callOff(alone, alive(2), false).hasLeader()).isFalse();
    }

    @Test
    void partitionThatNobodyHasLedYetIsMovedAtOnce() {
        var waiting = Leadership.waiting(0, List.of(1, 2));

        var led = Reassignment.toward(List.of(4, 5), waiting, alive(5), false);
        var unled = Reassignment.toward(List.of(4, 5), waiting, alive(1), false);

        assertThat(led).isEqualTo(new PartitionImage(0, List.of(4, 5), List.of(5), List.of(), List.of(), 5, 0, 0));
        assertThat(unled).isEqualTo(Leadership.waiting(0, List.of(4, 5)));
    }

    private static void refused(Runnable work, Errors error) {
        assertThatThrownBy(work::run).isInstanceOfSatisfying(Refused.class, refused -> assertThat(refused.error())
                .isEqualTo(error));
    }
}
