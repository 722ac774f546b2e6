package io.millrace.coordinator.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import io.millrace.wire.api.MarkerStamp;
import org.apache.kafka.common.message.OffsetDeleteRequestData;
import org.apache.kafka.common.message.OffsetDeleteRequestData.OffsetDeleteRequestPartition;
import org.apache.kafka.common.message.OffsetDeleteRequestData.OffsetDeleteRequestTopic;
import org.apache.kafka.common.message.OffsetDeleteRequestData.OffsetDeleteRequestTopicCollection;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Offsets that become real with the end of a transaction, in the shard of their group.
class TransactionalOffsetsTest {
    private static final String GROUP = "g";
    private static final long PRODUCER = 7;

    private final ShardWorld world = new ShardWorld();

    @BeforeEach
    void own() {
        world.own(1);
    }

    private Errors commit(String member, int generation) {
        var commit = world.commitInTransaction(GROUP, member, generation, PRODUCER, 5);
        world.settle();
        return ShardWorld.error(commit);
    }

    private void reload(int epoch) {
        world.shard = world.another();
        world.own(epoch);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anOffsetBecomesRealWithACommitAndGoesWithAnAbort(boolean committed) {
        assertThat(commit("", -1)).isEqualTo(Errors.NONE);
        assertThat(world.fetch(GROUP, "t", 0)).isEqualTo(-1);

        assertThat(world.end(PRODUCER, committed)).isEqualTo(Errors.NONE);

        assertThat(world.fetch(GROUP, "t", 0)).isEqualTo(committed ? 5 : -1);
    }

    @Test
    void aReaderThatWaitsForTransactionsIsToldOfOneUntilItHasEnded() {
        assertThat(world.fetchStable(GROUP)).isEqualTo(Errors.NONE);
        commit("", -1);
        assertThat(world.fetchStable(GROUP)).isEqualTo(Errors.UNSTABLE_OFFSET_COMMIT);
        assertThat(world.fetchStable("another")).isEqualTo(Errors.NONE);

        world.end(PRODUCER, false);

        assertThat(world.fetchStable(GROUP)).isEqualTo(Errors.NONE);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anotherOwnerKnowsWhatIsPendingAndEndsIt(boolean committed) {
        commit("", -1);

        reload(2);
        assertThat(world.fetchStable(GROUP)).isEqualTo(Errors.UNSTABLE_OFFSET_COMMIT);
        world.end(PRODUCER, committed);
        assertThat(world.fetch(GROUP, "t", 0)).isEqualTo(committed ? 5 : -1);

        reload(3);
        assertThat(world.fetchStable(GROUP)).isEqualTo(Errors.NONE);
        assertThat(world.fetch(GROUP, "t", 0)).isEqualTo(committed ? 5 : -1);
    }

    @Test
    void anOwnerThatWasReplacedNeitherTakesOffsetsNorEndsTransactions() {
        commit("", -1);
        var deposed = world.shard;
        world.shard = world.another();
        world.own(2);
        var current = world.shard;

        world.shard = deposed;
        assertThat(commit("", -1)).isEqualTo(Errors.NOT_COORDINATOR);
        assertThat(world.call(active -> active.endTransaction(PRODUCER, (short) 0, true, 1, Optional.empty()))
                .handle((error, failure) -> failure != null || error != Errors.NONE).getNow(false)).isTrue();

        world.shard = current;
        assertThat(world.fetch(GROUP, "t", 0)).isEqualTo(-1);
        assertThat(world.fetchStable(GROUP)).isEqualTo(Errors.UNSTABLE_OFFSET_COMMIT);
    }

    /// KIP-447: a member that was replaced commits nothing in a transaction either.
    @ParameterizedTest
    @CsvSource({"own,1,NONE", "own,0,ILLEGAL_GENERATION", "own,2,ILLEGAL_GENERATION", "nobody,1,UNKNOWN_MEMBER_ID",
            "'',-1,NONE"})
    void aMemberOfAnotherGenerationIsFenced(String who, int generation, Errors error) {
        var member = world.joinAlone(GROUP);

        assertThat(commit(who.equals("own") ? member : who, generation)).isEqualTo(error);
    }

    @Test
    void aCommitThatWasAdmittedBeforeItsTransactionEndedBeginsNoOther() {
        var leave = world.leave();
        commit("", -1);
        world.end(PRODUCER, false);

        var late = world.commitInTransaction(GROUP, "", -1, PRODUCER, 6, leave);
        world.settle();

        assertThat(ShardWorld.error(late)).isEqualTo(Errors.COORDINATOR_LOAD_IN_PROGRESS);
        assertThat(world.fetchStable(GROUP)).isEqualTo(Errors.NONE);
        assertThat(commit("", -1)).isEqualTo(Errors.NONE);
    }

    /// The log takes it, behind the marker: the epoch of a producer of version 1 stays the same.
    @Test
    void aCommitThatWasAdmittedBeforeAMarkerIsUnderWayBeginsNoOther() {
        var leave = world.leave();
        commit("", -1);

        var end = world.call(active -> active.endTransaction(PRODUCER, (short) 0, false, 1, Optional.empty()));
        var late = world.commitInTransaction(GROUP, "", -1, PRODUCER, 6, leave);
        world.settle();

        assertThat(end).isCompletedWithValue(Errors.NONE);
        assertThat(ShardWorld.error(late)).isEqualTo(Errors.COORDINATOR_LOAD_IN_PROGRESS);
        assertThat(world.fetchStable(GROUP)).isEqualTo(Errors.NONE);
    }

    /// Nor does one that is refused keep anybody out for longer than it takes to ask again.
    @Test
    void aMarkerThatIsRefusedKeepsNobodyOut() {
        commit("", -1);
        world.storage.failAppend(Errors.TRANSACTION_COORDINATOR_FENCED);
        world.end(PRODUCER, false, 99, Optional.empty());

        var next = world.commitInTransaction(GROUP, "", -1, PRODUCER, 6, world.leave(1));
        world.settle();

        assertThat(ShardWorld.error(next)).isEqualTo(Errors.NONE);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aCommitThatADeposedCoordinatorAdmittedBeginsNoOther(boolean reloaded) {
        commit("", -1);
        world.end(PRODUCER, false, 2, Optional.empty());
        if (reloaded) {
            reload(2);
        }

        var ofDeposed = world.commitInTransaction(GROUP, "", -1, PRODUCER, 6, world.leave(1));
        world.settle();
        assertThat(ShardWorld.error(ofDeposed)).isEqualTo(Errors.COORDINATOR_LOAD_IN_PROGRESS);

        var ofNext = world.commitInTransaction(GROUP, "", -1, PRODUCER, 6, world.leave(2));
        world.settle();
        assertThat(ShardWorld.error(ofNext)).isEqualTo(Errors.NONE);
    }

    @Test
    void aMarkerThatWasGivenUpAndComesLateDoesNotEndTheNextTransaction() {
        commit("", -1);
        assertThat(world.end(PRODUCER, true, 1, Optional.of(new MarkerStamp(1000, 5, 2)))).isEqualTo(Errors.NONE);
        world.commitInTransaction(GROUP, "", -1, PRODUCER, 6);
        world.settle();

        assertThat(world.end(PRODUCER, true, 1, Optional.of(new MarkerStamp(1000, 5, 1)))).isEqualTo(
                Errors.REQUEST_TIMED_OUT);

        assertThat(world.fetchStable(GROUP)).isEqualTo(Errors.UNSTABLE_OFFSET_COMMIT);
        assertThat(world.end(PRODUCER, false, 1, Optional.of(new MarkerStamp(1000, 5, 3)))).isEqualTo(Errors.NONE);
        assertThat(world.fetch(GROUP, "t", 0)).isEqualTo(5);
    }

    @Test
    void aCommitThatWasAdmittedInAnotherLifeOfTheShardDoesNotCount() {
        var leave = world.leave();
        reload(2);

        var late = world.commitInTransaction(GROUP, "", -1, PRODUCER, 6, leave);
        world.settle();

        assertThat(ShardWorld.error(late)).isEqualTo(Errors.COORDINATOR_LOAD_IN_PROGRESS);
    }

    @ParameterizedTest
    @CsvSource({"INVALID_PRODUCER_EPOCH,INVALID_PRODUCER_EPOCH", "NOT_ENOUGH_REPLICAS,COORDINATOR_NOT_AVAILABLE",
            "REQUEST_TIMED_OUT,COORDINATOR_NOT_AVAILABLE", "MESSAGE_TOO_LARGE,INVALID_COMMIT_OFFSET_SIZE"})
    void aCommitThatCannotBeStoredLeavesNothingPending(Errors failure, Errors answer) {
        world.storage.failAppend(failure);

        assertThat(commit("", -1)).isEqualTo(answer);

        world.loop.advance(Duration.ofSeconds(5));
        assertThat(world.fetchStable(GROUP)).isEqualTo(Errors.NONE);
        assertThat(world.seen()).isEmpty();
    }

    @Test
    void aCommitOfWhichNobodyKnowsWhetherItIsStoredIsLookedUp() {
        world.storage.loseAnswer();

        assertThat(commit("", -1)).isEqualTo(Errors.COORDINATOR_NOT_AVAILABLE);

        world.loop.advance(Duration.ofSeconds(5));
        assertThat(world.fetchStable(GROUP)).isEqualTo(Errors.UNSTABLE_OFFSET_COMMIT);
        world.end(PRODUCER, true);
        assertThat(world.fetch(GROUP, "t", 0)).isEqualTo(5);
    }

    @Test
    void anEndOfWhichNobodyKnowsWhetherItIsStoredIsLookedUp() {
        commit("", -1);
        world.storage.loseAnswer();

        assertThat(world.end(PRODUCER, true)).isEqualTo(Errors.COORDINATOR_NOT_AVAILABLE);

        world.loop.advance(Duration.ofSeconds(5));
        assertThat(world.fetch(GROUP, "t", 0)).isEqualTo(5);
        assertThat(world.end(PRODUCER, true)).isEqualTo(Errors.NONE);
        assertThat(world.fetch(GROUP, "t", 0)).isEqualTo(5);
    }

    @Test
    void aGroupThatIsDeletedTakesWhatIsPendingAlong() {
        world.topic("t", 1);
        commit("", -1);

        var deleted = world.call(active -> active.delete(GROUP));
        world.settle();

        assertThat(deleted.getNow(Errors.UNKNOWN_SERVER_ERROR)).isEqualTo(Errors.NONE);
        world.end(PRODUCER, true);
        assertThat(world.fetch(GROUP, "t", 0)).isEqualTo(-1);
        reload(2);
        assertThat(world.fetch(GROUP, "t", 0)).isEqualTo(-1);
        assertThat(world.seen()).isEmpty();
    }

    @Test
    void anOffsetThatIsDeletedTakesWhatIsPendingAlong() {
        world.topic("t", 1);
        commit("", -1);
        var topics = new OffsetDeleteRequestTopicCollection();
        topics.add(new OffsetDeleteRequestTopic().setName("t")
                .setPartitions(List.of(new OffsetDeleteRequestPartition().setPartitionIndex(0))));

        world.call(active -> active.deleteOffsets(new OffsetDeleteRequestData().setGroupId(GROUP).setTopics(topics),
                (_, _) -> true));
        world.settle();
        world.end(PRODUCER, true);

        assertThat(world.fetch(GROUP, "t", 0)).isEqualTo(-1);
    }

    @Test
    void theOffsetsOfADeletedTopicGoAlsoWhereTheyArePending() {
        commit("", -1);

        world.call(active -> {
            active.topicsDeleted(Set.of("t"));
            return CompletableFuture.completedFuture(true);
        });
        world.settle();
        world.end(PRODUCER, true);

        assertThat(world.fetch(GROUP, "t", 0)).isEqualTo(-1);
    }

    @Test
    void aGroupWithSomethingPendingDoesNotExpire() {
        world.commit(GROUP, "t", 1, 3);
        world.settle();
        commit("", -1);

        world.loop.advance(Duration.ofMinutes(5));
        assertThat(world.fetch(GROUP, "t", 1)).isEqualTo(3);

        world.end(PRODUCER, false);
        world.loop.advance(Duration.ofMinutes(5));
        assertThat(world.fetch(GROUP, "t", 1)).isEqualTo(-1);
        assertThat(world.seen()).isEmpty();
    }
}
