package io.millrace.broker.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import io.millrace.base.simulation.SimulatedLoop;
import io.millrace.log.batch.LogRefused;
import io.millrace.wire.error.Refused;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Three replicas of a partition on real files.
class ReplicationTest {
    private static final List<Integer> ALL = List.of(1, 2, 3);

    private final SimulatedLoop loop = new SimulatedLoop();
    @TempDir
    private Path directory;
    private Replica one;
    private Replica two;
    private Replica three;

    @SuppressWarnings("NullAway.Init") // JUnit
    ReplicationTest() {}

    @BeforeEach
    void start() throws IOException {
        one = new Replica(1, directory.resolve("1"), loop);
        two = new Replica(2, directory.resolve("2"), loop);
        three = new Replica(3, directory.resolve("3"), loop);
        tell(1, 0, 0, 1, ALL);
    }

    @AfterEach
    void stop() {
        List.of(one, two, three).forEach(Replica::close);
    }

    @Test
    void highWatermarkIsWhatAllInSyncReplicasHave() {
        one.append("a");
        one.append("b");
        assertThat(one.highWatermark()).isZero();

        two.fetchFrom(one);
        two.fetchFrom(one);
        assertThat(one.highWatermark()).as("three has nothing").isZero();

        three.fetchFrom(one);
        three.fetchFrom(one);
        assertThat(one.highWatermark()).isEqualTo(2);
    }

    @Test
    void followersHearOfTheHighWatermarkWithTheNextAnswer() {
        one.append("a");
        everybodyFetches();
        everybodyFetches();
        everybodyFetches();

        assertThat(two.highWatermark()).isEqualTo(1);
        assertThat(three.values()).containsExactly("a");
    }

    @Test
    void producerThatWaitsForAllIsToldOnceAllHaveIt() {
        var first = one.appendForAll("a");
        var second = one.appendForAll("b");
        two.fetchFrom(one);
        three.fetchFrom(one);
        assertThat(first.times()).as("sent, but not yet confirmed").isZero();

        two.fetchFrom(one);
        three.fetchFrom(one);

        assertThat(first.times()).isEqualTo(1);
        assertThat(second.succeeded()).isTrue();
    }

    @Test
    void tooFewInSyncReplicasRefuseWhoWaitsForAllAndNobodyElse() {
        tell(1, 0, 1, 2, List.of(1));

        assertThatThrownBy(() -> one.appendForAll("a")).isInstanceOfSatisfying(Refused.class, refused -> assertThat(
                refused.error()).isEqualTo(Errors.NOT_ENOUGH_REPLICAS));
        assertThat(one.append("b").baseOffset()).isZero();
    }

    @Test
    void highWatermarkStandsStillWhileTooFewAreInSync() {
        tell(1, 0, 1, 2, List.of(1));
        one.append("a");
        assertThat(one.highWatermark()).isZero();

        two.fetchFrom(one);
        two.fetchFrom(one);
        accept(one, 2);

        assertThat(one.highWatermark()).isEqualTo(1);
    }

    @Test
    void topicCannotAskForMoreReplicasThanItHas() {
        tell(1, 0, 1, 5, ALL);

        var acked = one.appendForAll("a");
        everybodyFetches();
        everybodyFetches();

        assertThat(acked.succeeded()).isTrue();
    }

    @Test
    void followerThatIsSilentForTooLongIsProposedToLeave() {
        one.append("a");
        two.fetchFrom(one);
        loop.advance(Replica.LAG.plusSeconds(1));
        two.fetchFrom(one);

        one.partition().isr().check();

        assertThat(proposed(one)).containsExactly(1, 2);
        assertThat(one.highWatermark()).as("until the controller says so, it counts").isZero();
        accept(one, 1);
        assertThat(one.highWatermark()).isEqualTo(1);
    }

    @Test
    void followerThatHasEverythingStaysHoweverSilent() {
        one.append("a");
        everybodyFetches();
        everybodyFetches();
        loop.advance(Replica.LAG.multipliedBy(10));

        one.partition().isr().check();

        assertThat(one.proposal()).isNull();
    }

    @Test
    void followerJoinsWithItsFetchAtTheHighWatermarkAndIsWaitedForAtOnce() {
        tell(1, 0, 1, 1, List.of(1, 2));
        one.append("a");
        two.fetchFrom(one);
        two.fetchFrom(one);
        three.fetchFrom(one);
        assertThat(one.proposal()).as("three has nothing yet").isNull();

        three.fetchFrom(one);
        var proposal = one.proposal();
        assertThat(proposal).isNotNull();
        one.append("b");
        two.fetchFrom(one);
        two.fetchFrom(one);

        assertThat(one.highWatermark()).as("three may be in sync by now, and lacks b").isEqualTo(1);
    }

    @Test
    void followerThatIsNotAliveInTheMetadataIsNotProposed() {
        tell(1, 0, 1, 1, List.of(1, 2));
        one.eligible((broker, _) -> broker != 3);
        three.fetchFrom(one);
        assertThat(one.proposal()).isNull();

        one.eligible((_, _) -> true);
        one.partition().isr().reconsider();

        assertThat(proposed(one)).containsExactly(1, 2, 3);
    }

    @Test
    void followerOfAnotherLifeThanTheMetadataKnowIsNotProposed() {
        tell(1, 0, 1, 1, List.of(1, 2));
        one.eligible((_, epoch) -> epoch == 7);
        three.fetchFrom(one, 6);
        assertThat(one.proposal()).isNull();

        three.fetchFrom(one, 7);

        assertThat(proposed(one)).containsExactly(1, 2, 3);
    }

    @Test
    void fetchOfAFormerLifeIsRefused() {
        three.fetchFrom(one, 7);

        assertThatThrownBy(() -> three.fetchFrom(one, 6)).isInstanceOfSatisfying(Refused.class, refused -> assertThat(
                refused.error()).isEqualTo(Errors.NOT_LEADER_OR_FOLLOWER));
    }

    @Test
    void fetchOfWhoIsNoReplicaIsRefused() {
        tell(1, 0, 1, List.of(1, 2), List.of(1, 2), 1);

        assertThatThrownBy(() -> three.fetchFrom(one)).isInstanceOfSatisfying(Refused.class, refused -> assertThat(
                refused.error()).isEqualTo(Errors.UNKNOWN_LEADER_EPOCH));
    }

    @Test
    void newLeaderGoesOnFromItsOwnHighWatermarkAndWaitsForTheOthers() {
        one.append("a");
        everybodyFetches();
        everybodyFetches();
        everybodyFetches();
        one.append("b");
        everybodyFetches();

        tell(2, 1, 1, 1, List.of(2, 3));

        assertThat(two.highWatermark()).isEqualTo(1);
        three.fetchFrom(two);
        assertThat(two.highWatermark()).isEqualTo(2);
    }

    @Test
    void followerCutsWhatOnlyTheFormerLeaderHad() {
        one.append("a");
        everybodyFetches();
        everybodyFetches();
        one.append("lost");
        tell(2, 1, 1, 1, List.of(2, 3));
        two.append("b");

        one.fetchFrom(two);
        one.fetchFrom(two);
        one.fetchFrom(two);

        assertThat(one.values()).containsExactly("a", "b");
    }

    @Test
    void followerCutsEvenWhereTheNewLeaderHasWrittenNothing() {
        one.append("a");
        everybodyFetches();
        everybodyFetches();
        one.append("lost");
        tell(2, 1, 1, 1, List.of(2, 3));

        one.fetchFrom(two);

        assertThat(one.values()).containsExactly("a");
    }

    @Test
    void producersThatWaitAreRefusedWhenTheirLeaderIsDeposed() {
        var acked = one.appendForAll("a");

        tell(2, 1, 1, 1, List.of(2, 3));

        assertThat(acked.error()).isEqualTo(Errors.NOT_LEADER_OR_FOLLOWER);
        assertThatThrownBy(() -> one.append("b")).isInstanceOf(Refused.class);
    }

    @Test
    void batchOfAFormerLeaderIsRefused() {
        tell(2, 1, 1, 1, List.of(2, 3));

        assertThatThrownBy(() -> three.partition().asFollower().append(Replica.batch("old"), 0, 0, 0))
                .isInstanceOfSatisfying(Refused.class, refused -> assertThat(refused.error()).isEqualTo(
                        Errors.FENCED_LEADER_EPOCH));
    }

    @Test
    void fetchBeyondTheLeadersEndIsOutOfRangeAndCountsForNothing() {
        one.append("a");
        var fetch = new FollowerFetch(2, -1, 5, 0, 0, Partition.NO_LAST_EPOCH, new FetchTimes(0));

        assertThatThrownBy(() -> one.partition().asLeader().fetched(fetch)).isInstanceOfSatisfying(LogRefused.class,
                refused -> assertThat(refused.error()).isEqualTo(Errors.OFFSET_OUT_OF_RANGE));
        three.fetchFrom(one);
        three.fetchFrom(one);
        assertThat(one.highWatermark()).isZero();
    }

    @Test
    void recordsDeletedAtTheLeaderGoAtTheFollowers() {
        one.append("a");
        one.append("b");
        everybodyFetches();
        everybodyFetches();
        one.partition().asLeader().deleteRecordsBefore(1);

        everybodyFetches();

        assertThat(two.log().logStartOffset()).isEqualTo(1);
    }

    @Test
    void peopleSeeWhereTheReplicasAre() {
        one.append("a");
        two.fetchFrom(one);
        two.fetchFrom(one);
        loop.advance(Duration.ofSeconds(3));

        var facts = one.partition().asLeader().replicas();

        assertThat(facts.logEndOffset()).isEqualTo(1);
        assertThat(facts.followers()).containsExactly(new ReplicaFacts.FollowerFacts(2, 1, Duration.ofSeconds(3), true),
                new ReplicaFacts.FollowerFacts(3, -1, Duration.ofSeconds(3), true));
    }

    @Test
    void consumersAreSentOnlyToInSyncFollowersThatHaveTheOffset() {
        tell(1, 0, 1, 1, List.of(1, 2));
        one.append("a");
        two.fetchFrom(one);
        two.fetchFrom(one);
        three.fetchFrom(one);

        assertThat(one.partition().asLeader().followersWith(1)).extracting(ReplicaFacts.FollowerFacts::broker)
                .containsExactly(2);
        assertThat(one.partition().asLeader().followersWith(2)).isEmpty();
        assertThat(two.partition().asLeader().followersWith(1)).as("a follower does not know").isEmpty();
    }

    private void everybodyFetches() {
        two.fetchFrom(one);
        three.fetchFrom(one);
    }

    private void tell(int leader, int leaderEpoch, int partitionEpoch, int minIsr, List<Integer> isr) {
        tell(leader, leaderEpoch, partitionEpoch, isr, ALL, minIsr);
    }

    private void tell(int leader, int leaderEpoch, int partitionEpoch, List<Integer> isr, List<Integer> replicas,
            int minIsr) {
        for (var replica : List.of(one, two, three)) {
            replica.told(leader, leaderEpoch, partitionEpoch, minIsr, isr, replicas);
        }
    }

    private static List<Integer> proposed(Replica leader) {
        return Proposals.isr(leader.proposal());
    }

    /// The controller takes over what `leader` proposes.
    private static void accept(Replica leader, int partitionEpoch) {
        leader.partition().isr().check();
        var proposal = leader.partition().isr().proposal(100);
        Proposals.accept(proposal, partitionEpoch);
    }
}
