package io.millrace.controller.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.millrace.metadata.image.EligibleReplica;
import io.millrace.metadata.image.PartitionImage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LeadershipTest {
    private static final int NO_LEADER = PartitionImage.NO_LEADER;

    @ParameterizedTest(name = "replicas {0} isr {1} leader {2} alive {3} unclean {4} gives leader {5} isr {6}")
    @CsvSource(delimiter = '|', textBlock = """
            1,2,3 | 1,2,3 | 1  | 1,2,3 | false | 1  | 1,2,3
            1,2,3 | 1,2,3 | 1  | 2,3   | false | 2  | 2,3
            1,2,3 | 3,2   | 3  | 1,2   | false | 2  | 2
            1,2,3 | 1,2,3 | 1  | 1,3   | false | 1  | 1,3
            1,2,3 | 3     | 3  | 1,2   | false | -1 | 3
            1,2,3 | 3     | 3  | 1,2   | true  | 1  | 1
            1,2,3 | 3     | -1 | 1,2,3 | false | 3  | 3
            1     | 1     | 1  | 2     | false | -1 | 1
            1     | 1     | -1 | 1     | false | 1  | 1
            1     | 1     | 1  | 2     | true  | -1 | 1
            1,2   | 99    | 99 | 1,2   | false | -1 | 99
            1,2,0 | 1,2,0 | 1  | 2,0   | false | 2  | 2,0
            1,2,0 | 2,0,1 | 2  | 1,2,0 | false | 2  | 2,0,1
            1,2   | 1,2   | -1 | 2     | false | 2  | 2
            1,2,3 | 2,3   | 2  | 1     | false | -1 | 2,3
            """)
    void firstReplicaThatIsAliveAndInSyncLeadsAndTheIsrIsNeverEmptied(String replicas, String isr, int leader,
            String alive, boolean unclean, int nextLeader, String nextIsr) {
        var now = new PartitionImage(0, ids(replicas), ids(isr), List.of(), List.of(), leader, 4, 9);

        var next = Leadership.next(now, alive(alive), unclean);

        assertThat(next.leader()).isEqualTo(nextLeader);
        assertThat(next.isr()).isEqualTo(ids(nextIsr)).isNotEmpty();
    }

    @Test
    void nothingChangesNoEpochWhereNothingChanges() {
        var now = new PartitionImage(0, List.of(1, 2), List.of(1, 2), List.of(), List.of(), 1, 4, 9);

        assertThat(Leadership.next(now, alive("1,2"), true)).isSameAs(now);
    }

    @Test
    void anotherLeaderRaisesBothEpochsByOne() {
        var now = new PartitionImage(0, List.of(1, 2), List.of(1, 2), List.of(), List.of(), 1, 4, 9);

        var next = Leadership.next(now, alive("2"), false);

        assertThat(next.leaderEpoch()).isEqualTo(5);
        assertThat(next.partitionEpoch()).isEqualTo(10);
    }

    @Test
    void anotherIsrUnderTheSameLeaderRaisesThePartitionEpochAlone() {
        var now = new PartitionImage(0, List.of(1, 2), List.of(1, 2), List.of(), List.of(), 1, 4, 9);

        var next = Leadership.next(now, alive("1"), false);

        assertThat(next.isr()).containsExactly(1);
        assertThat(next.leaderEpoch()).isEqualTo(4);
        assertThat(next.partitionEpoch()).isEqualTo(10);
    }

    @Test
    void newPartitionIsLedByItsFirstLivingReplicaAtEpochZeroAndAllThatLiveAreInSync() {
        var next = Leadership.next(Leadership.waiting(3, List.of(1, 2, 3)), alive("2,3"), false);

        assertThat(next).isEqualTo(new PartitionImage(3, List.of(1, 2, 3), List.of(2, 3), List.of(), List.of(), 2, 0,
                0));
    }

    @Test
    void partitionThatLostItsStateIsLedByWhoWasInSyncAndByNobodyElse() {
        var known = new PartitionImage(0, List.of(1, 2, 3), List.of(2, 3), List.of(), List.of(), 3, 4, 9);

        assertThat(Leadership.next(Leadership.bereft(known), alive("1,2,3"), true)).isEqualTo(new PartitionImage(0, List
                .of(1, 2, 3), List.of(2, 3), List.of(), List.of(), 2, 5, 0));
        assertThat(Leadership.isWaiting(Leadership.next(Leadership.bereft(known), alive("1"), true))).isTrue();
    }

    @Test
    void newPartitionWithoutALivingReplicaWaits() {
        var waiting = Leadership.waiting(0, List.of(1));

        var next = Leadership.next(waiting, alive("2"), true);

        assertThat(next).isSameAs(waiting);
        assertThat(Leadership.isWaiting(next)).isTrue();
    }

    @ParameterizedTest(name = "replicas {0} isr {1} leader {2} active {3}: 1 leaves to leader {4} isr {5}")
    @CsvSource(delimiter = '|', textBlock = """
            1,2,3 | 1,2,3 | 1  | 2,3 | 2  | 2,3
            1,2,3 | 1,3   | 1  | 2,3 | 3  | 3
            1,2,3 | 1,2,3 | 1  | 3   | 3  | 2,3
            1,2,3 | 1     | 1  | 2,3 | 1  | 1
            1,2,3 | 1,2   | 1  | 3   | 1  | 1,2
            2,1,3 | 2,1,3 | 2  | 2,3 | 2  | 2,3
            2,1,3 | 2,3   | 2  | 2,3 | 2  | 2,3
            2,1   | 1,2   | -1 | 3   | -1 | 1,2
            1     | 1     | 1  | 2   | 1  | 1
            """)
    void brokerThatStopsHandsOverAndLeavesTheIsrWhereAnotherIsInSync(String replicas, String isr, int leader,
            String active, int nextLeader, String nextIsr) {
        var now = new PartitionImage(0, ids(replicas), ids(isr), List.of(), List.of(), leader, 4, 9);
        var brokers = new Brokers(Set.of(1, 2, 3)::contains, Set.copyOf(ids(active))::contains);

        var next = Leadership.handedOver(now, 1, brokers);

        assertThat(next.leader()).isEqualTo(nextLeader);
        assertThat(next.isr()).isEqualTo(ids(nextIsr));
    }

    @Test
    void leaderThatShutsDownLeadsOnUntilItIsAskedToHandOver() {
        var now = new PartitionImage(0, List.of(1, 2), List.of(1, 2), List.of(), List.of(), 1, 4, 9);

        assertThat(Leadership.next(now, new Brokers(Set.of(1, 2)::contains, Set.of(2)::contains), false)).isSameAs(now);
    }

    @Test
    void preferredLeaderIsTheFirstOfTheAssignmentWhereItIsInSyncAndMayLead() {
        var now = new PartitionImage(0, List.of(1, 2), List.of(2, 1), List.of(), List.of(), 2, 4, 9);

        assertThat(Leadership.preferred(now, alive("1,2"))).contains(new PartitionImage(0, List.of(1, 2), List.of(2, 1),
                List.of(), List.of(), 1, 5, 10));
        assertThat(Leadership.preferred(now, alive("2"))).isEmpty();
        assertThat(Leadership.preferred(new PartitionImage(0, List.of(1, 2), List.of(2), List.of(), List.of(), 2, 4, 9),
                alive("1,2"))).isEmpty();
        assertThat(Leadership.preferred(Leadership.waiting(0, List.of(1)), alive("1"))).isEmpty();
    }

    @Test
    void electionOutsideTheIsrIsUnclean() {
        var before = new PartitionImage(0, List.of(1, 2), List.of(2), List.of(), List.of(), 2, 4, 9);
        var after = Leadership.next(before, alive("1"), true);

        assertThat(Leadership.wasUnclean(before, after, _ -> "")).isTrue();
        assertThat(Leadership.wasUnclean(before, before, _ -> "")).isFalse();
        assertThat(Leadership.wasUnclean(Leadership.waiting(0, List.of(1)), after, _ -> "")).isFalse();
        assertThat(after.leader()).isNotEqualTo(NO_LEADER);
    }

    /// Lives are told as `1a`: broker 1, life a. Two must be in sync.
    @ParameterizedTest(name = "isr {0} elr {1} leader {2} registered {3} fenced {4} gives leader {5} isr {6} elr {7}")
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            1,2,3 | -        | 1  | 1a,2a,3a | 3   | 1  | 1,2   | -
            1,2   | -        | 1  | 1a,2a,3a | 2   | 1  | 1     | 2a
            1,2,3 | -        | 1  | 1a,2a,3a | 2,3 | 1  | 1     | 2a,3a
            1,2   | -        | 1  | 1a       | -   | 1  | 1     | -
            1     | 2a       | 1  | 1a,2a    | -   | 1  | 1     | 2a
            1     | 2a       | 1  | 1a       | -   | 1  | 1     | 2a
            1     | 2a,3a    | 1  | 1a,2b,3a | -   | 1  | 1     | 3a
            1     | 2a       | 1  | 2a       | -   | 2  | 2     | -
            1     | 2a       | 1  | 1a,2a    | 1   | 2  | 2     | 1a
            1     | 2b       | 1  | 2a       | -   | -1 | 1     | -
            1     | 2a       | 1  | 1a,2a    | 1,2 | -1 | 1     | 2a,1a
            1     | 2a,1a    | -1 | 1a,2a    | 2   | 1  | 1     | 2a
            1     | 2a,1a    | -1 | 1b,2a    | 2   | -1 | 1     | 2a
            1     | 2a       | -1 | 1b,2a    | -   | 2  | 2     | -
            1     | 2a       | -1 | 1b       | -   | 1  | 1     | 2a
            1     | 2a       | -1 | 1b,2b    | -   | 1  | 1     | -
            """)
    void whoHasAllThatIsCommittedMayLeadThoughItIsOutOfTheIsr(String isr, String elr, int leader, String registered,
            String fenced, int nextLeader, String nextIsr, String nextElr) {
        var now = new PartitionImage(0, List.of(1, 2, 3), ids(isr), List.of(), List.of(), leader, 4, 9, lives(elr));

        var brokers = registered(registered, fenced, 2);
        var next = Leadership.next(now, brokers, false);

        assertThat(next.leader()).isEqualTo(nextLeader);
        assertThat(next.isr()).isEqualTo(ids(nextIsr));
        assertThat(next.elr()).isEqualTo(lives(nextElr));
        assertThat(Leadership.wasUnclean(now, next, brokers.life())).isFalse();
    }

    @Test
    void nobodyIsEligibleBesideAnIsrThatIsEnough() {
        var now = new PartitionImage(0, List.of(1, 2, 3), List.of(1), List.of(), List.of(), 1, 4, 9, lives("2a"));

        assertThat(Leadership.next(now, registered("1a,2a,3a", null, 1), false).elr()).isEmpty();
        assertThat(Leadership.with(now, 1, List.of(1, 3), registered("1a,2a,3a", null, 2)).elr()).isEmpty();
    }

    @Test
    void whereThatIsAllowedNobodyWaitsForOneThatHasEverything() {
        var now = new PartitionImage(0, List.of(1, 2, 3), List.of(1), List.of(), List.of(), NO_LEADER, 4, 9, lives(
                "2a"));

        assertThat(Leadership.next(now, registered("1b,2a", "2", 2), true).leader()).isEqualTo(1);
        assertThat(Leadership.next(now, registered("2a,3a", "2", 2), true)).satisfies(next -> {
            assertThat(next.leader()).isEqualTo(3);
            assertThat(next.elr()).isEmpty();
        });
    }

    @Test
    void anotherLifeOfOneThatWasEligibleIsAnUncleanChoice() {
        var now = new PartitionImage(0, List.of(1, 2, 3), List.of(1), List.of(), List.of(), 1, 4, 9, lives("2a"));
        var brokers = registered("2b", null, 2);
        var next = Leadership.next(now, brokers, true);

        assertThat(next.leader()).isEqualTo(2);
        assertThat(Leadership.wasUnclean(now, next, brokers.life())).isTrue();
    }

    private static Brokers registered(String lives, @Nullable String fenced, int minInSync) {
        var registered = lives(lives).stream().collect(Collectors.toMap(EligibleReplica::broker,
                EligibleReplica::life));
        var active = new HashSet<>(registered.keySet());
        if (fenced != null) {
            active.removeAll(ids(fenced));
        }
        return new Brokers(active::contains, active::contains, id -> registered.getOrDefault(id, ""), minInSync);
    }

    private static List<EligibleReplica> lives(@Nullable String text) {
        return text == null
                ? List.of()
                : Stream.of(text.split(",", -1)).map(it -> new EligibleReplica(Integer.parseInt(it.substring(0, 1)), it
                        .substring(1))).toList();
    }

    private static Brokers alive(String ids) {
        var alive = Set.copyOf(ids(ids));
        return new Brokers(alive::contains, alive::contains);
    }

    private static List<Integer> ids(String text) {
        return List.of(text.split(",")).stream().map(Integer::valueOf).toList();
    }
}
