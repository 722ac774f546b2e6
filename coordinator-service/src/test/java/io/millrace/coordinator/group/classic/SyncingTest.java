package io.millrace.coordinator.group.classic;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Stream;

import io.millrace.coordinator.group.GroupState;
import io.millrace.coordinator.group.classic.Play.Join;
import io.millrace.coordinator.record.MemberSnapshot;
import org.apache.kafka.common.message.SyncGroupRequestData;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class SyncingTest {
    private final Play play = new Play();

    static Stream<Arguments> refusals() {
        return Stream.of(
                refusal((_, request) -> request.setMemberId("stranger"), Errors.UNKNOWN_MEMBER_ID),
                refusal((_, request) -> request.setGenerationId(7), Errors.ILLEGAL_GENERATION),
                refusal((_, request) -> request.setGroupInstanceId("i"), Errors.UNKNOWN_MEMBER_ID),
                refusal((_, request) -> request.setProtocolType("connect"), Errors.INCONSISTENT_GROUP_PROTOCOL),
                refusal((_, request) -> request.setProtocolName("sticky"), Errors.INCONSISTENT_GROUP_PROTOCOL),
                refusal((play, request) -> {
                    play.join(Join.fresh().as(request.memberId()));
                    return request;
                }, Errors.REBALANCE_IN_PROGRESS),
                refusal((play, request) -> {
                    play.become(play.group().dead());
                    return request;
                }, Errors.COORDINATOR_NOT_AVAILABLE));
    }

    private static Arguments refusal(BiFunction<Play, SyncGroupRequestData, SyncGroupRequestData> change,
            Errors error) {
        return Arguments.of(change, error);
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void aSyncIsRefused(BiFunction<Play, SyncGroupRequestData, SyncGroupRequestData> change, Errors error) {
        var id = play.stable(2).getFirst();
        var request = new SyncGroupRequestData().setMemberId(id).setGenerationId(1);

        var ticket = play.sync(change.apply(play, request));

        assertThat(play.syncError(ticket)).isEqualTo(error);
    }

    @Test
    void everybodyWaitsUntilTheLeadersAssignmentIsStored() {
        var ids = gathered(3);
        play.holdStores();
        var follower = play.sync(ids.get(1), 1);
        var leader = play.sync(ids.get(0), 1, ids.get(0), ids.get(1), "made-up");
        assertThat(play.isAnswered(leader) || play.isAnswered(follower)).isFalse();
        assertThat(play.state()).isEqualTo(GroupState.COMPLETING_REBALANCE);

        play.stored();

        assertThat(play.state()).isEqualTo(GroupState.STABLE);
        assertThat(new String(play.synced(leader).assignment(), UTF_8)).isEqualTo(ids.get(0));
        assertThat(new String(play.synced(follower).assignment(), UTF_8)).isEqualTo(ids.get(1));
        var late = play.sync(ids.get(2), 1);
        assertThat(play.synced(late).assignment()).isEmpty();
        assertThat(play.synced(late).protocolName()).isEqualTo("range");
    }

    @Test
    void whatIsStoredIsTheWholeGroupWithItsAssignments() {
        var ids = gathered(2);
        play.holdStores();

        play.sync(ids.get(0), 1, ids.toArray(String[]::new));

        var stored = play.lastStore().snapshot();
        assertThat(stored.generation()).isEqualTo(1);
        assertThat(stored.leader()).isEqualTo(ids.get(0));
        assertThat(stored.protocol()).isEqualTo("range");
        assertThat(stored.members()).extracting(MemberSnapshot::memberId).containsExactlyElementsOf(ids);
        assertThat(stored.members()).extracting(member -> new String(member.assignment().array(), UTF_8))
                .containsExactlyElementsOf(ids);
    }

    @Test
    void aGroupThatIsLoadedIsTheGroupThatWasStored() {
        play.stable(3);
        var stored = play.group().snapshot();

        var loaded = ClassicGroup.restored("g", stored);

        assertThat(loaded.snapshot()).isEqualTo(stored);
        assertThat(loaded.state()).isEqualTo(GroupState.STABLE);
    }

    @Test
    void anAssignmentThatCannotBeStoredIsGivenToNobody() {
        var ids = gathered(2);
        play.holdStores();
        var follower = play.sync(ids.get(1), 1);
        var leader = play.sync(ids.get(0), 1, ids.toArray(String[]::new));

        play.notStored(Errors.COORDINATOR_NOT_AVAILABLE);

        assertThat(List.of(play.syncError(leader), play.syncError(follower)))
                .containsOnly(Errors.COORDINATOR_NOT_AVAILABLE);
        assertThat(play.state()).isEqualTo(GroupState.PREPARING_REBALANCE);
        assertThat(play.group().members().values()).extracting(member -> member.assignment().size()).containsOnly(0);
    }

    @Test
    void anAssignmentOfAnOlderGenerationIsNotHandedOut() {
        var ids = gathered(2);
        play.holdStores();
        var leader = play.sync(ids.get(0), 1, ids.toArray(String[]::new));
        play.join(Join.fresh());
        assertThat(play.syncError(leader)).isEqualTo(Errors.REBALANCE_IN_PROGRESS);

        play.stored();

        assertThat(play.state()).isEqualTo(GroupState.PREPARING_REBALANCE);
        assertThat(play.group().members().values()).extracting(member -> member.assignment().size()).containsOnly(0);
    }

    @Test
    void membersThatNeverSyncAreRemovedThoughTheyLive() {
        var ids = gathered(2);
        play.sync(ids.get(0), 1, ids.toArray(String[]::new));
        assertThat(play.heartbeat(ids.get(1), null, 1)).isEqualTo(Errors.NONE);

        play.fire(new Timer.Syncing());

        assertThat(play.group().members()).containsOnlyKeys(ids.get(0));
        assertThat(play.state()).isEqualTo(GroupState.PREPARING_REBALANCE);
        assertThat(play.heartbeat(ids.get(1), null, 1)).isEqualTo(Errors.UNKNOWN_MEMBER_ID);
    }

    @Test
    void aLeaderThatNeverSyncsIsReplaced() {
        var ids = gathered(2);
        var follower = play.sync(ids.get(1), 1);

        play.fire(new Timer.Syncing());
        assertThat(play.syncError(follower)).isEqualTo(Errors.REBALANCE_IN_PROGRESS);
        var again = play.join(Join.fresh().as(ids.get(1)));

        assertThat(play.joined(again).leader()).isEqualTo(ids.get(1));
        assertThat(play.joined(again).generationId()).isEqualTo(2);
    }

    @Test
    void nobodyIsWaitedForOnceAllHaveSynced() {
        play.stable(3);

        assertThat(play.isArmed(new Timer.Syncing())).isFalse();
    }

    private List<String> gathered(int members) {
        var tickets = new ArrayList<Long>();
        for (int i = 0; i < members; i++) {
            tickets.add(play.join(Join.fresh()));
        }
        play.fire(new Timer.Gathering());
        if (play.state() == GroupState.PREPARING_REBALANCE) {
            play.fire(new Timer.Gathering());
        }
        return tickets.stream().map(ticket -> play.joined(ticket).memberId()).toList();
    }
}
