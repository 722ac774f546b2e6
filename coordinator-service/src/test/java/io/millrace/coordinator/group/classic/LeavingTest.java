package io.millrace.coordinator.group.classic;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.coordinator.group.GroupState;
import io.millrace.coordinator.group.classic.Play.Join;
import org.apache.kafka.common.message.LeaveGroupRequestData.MemberIdentity;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LeavingTest {
    private final Play play = new Play();

    @ParameterizedTest
    @CsvSource({"true, 1, NONE", "true, 2, ILLEGAL_GENERATION", "true, -1, ILLEGAL_GENERATION",
            "false, 1, UNKNOWN_MEMBER_ID"})
    void aHeartbeatIsAnsweredByWhoAndWhen(boolean member, int generation, Errors error) {
        var id = play.stable(1).getFirst();

        assertThat(play.heartbeat(member ? id : "stranger", null, generation)).isEqualTo(error);
    }

    @Test
    void aHeartbeatBeforeTheAssignmentKeepsTheMemberAlive() {
        var ticket = play.join(Join.fresh());
        play.fire(new Timer.Gathering());

        assertThat(play.heartbeat(play.joined(ticket).memberId(), null, 1)).isEqualTo(Errors.NONE);
    }

    @Test
    void aHeartbeatToAnEmptyOrADyingGroupIsRefused() {
        assertThat(play.heartbeat("m", null, 0)).isEqualTo(Errors.UNKNOWN_MEMBER_ID);
        play.become(play.group().dead());
        assertThat(play.heartbeat("m", null, 0)).isEqualTo(Errors.COORDINATOR_NOT_AVAILABLE);
        assertThat(play.leave("m")).isEmpty();
    }

    @Test
    void severalMembersLeaveAtOnceAndEachHasItsOwnAnswer() {
        var ids = play.stable(3);
        var pending = play.joined(play.join(Join.fresh().version(4))).memberId();

        var answers = play.leave(new MemberIdentity().setMemberId(ids.get(0)),
                new MemberIdentity().setMemberId("stranger"), new MemberIdentity().setMemberId(pending),
                new MemberIdentity().setGroupInstanceId("nobody"), new MemberIdentity().setMemberId(ids.get(1)));

        assertThat(answers).containsExactly(Errors.NONE, Errors.UNKNOWN_MEMBER_ID, Errors.NONE,
                Errors.UNKNOWN_MEMBER_ID, Errors.NONE);
        assertThat(play.group().members()).containsOnlyKeys(ids.get(2));
        assertThat(play.group().pending()).isEmpty();
    }

    @Test
    void theLastOneToLeaveEmptiesTheGroup() {
        var id = play.stable(1).getFirst();

        play.leave(id);

        assertThat(play.state()).isEqualTo(GroupState.EMPTY);
        assertThat(play.isArmed(new Timer.Session(id))).isFalse();
        assertThat(play.isArmed(new Timer.Gathering())).isFalse();
    }

    @Test
    void aMemberThatIsNotHeardOfIsRemovedAndTheOthersJoinAgain() {
        var ids = play.stable(2);

        play.fire(new Timer.Session(ids.get(0)));

        assertThat(play.state()).isEqualTo(GroupState.PREPARING_REBALANCE);
        assertThat(play.group().leader()).isEqualTo(ids.get(1));
    }

    @Test
    void whoWaitsForTheGroupIsNotTakenForDead() {
        var ids = play.stable(2);
        var ticket = play.join(Join.fresh().as(ids.get(0)));

        play.fire(new Timer.Session(ids.get(0)));

        assertThat(play.isAnswered(ticket)).isFalse();
        assertThat(play.group().members()).hasSize(2);
        play.join(Join.fresh().as(ids.get(1)));
        assertThat(play.armed(new Timer.Session(ids.get(0)))).isEqualTo(10_000);
    }

    @Test
    void aFreshMemberThatWaitsTooLongIsToldToComeAgain() {
        var ids = play.stable(1);
        var ticket = play.join(Join.fresh());
        var fresh = play.group().members().keySet().stream().filter(id -> !ids.contains(id)).findFirst().orElseThrow();
        assertThat(play.armed(new Timer.Session(fresh))).isEqualTo(300_000);

        play.fire(new Timer.Session(fresh));

        assertThat(play.joinError(ticket)).isEqualTo(Errors.UNKNOWN_MEMBER_ID);
        assertThat(play.group().members()).containsOnlyKeys(ids.getFirst());
    }

    @Test
    void aDeathWhileOthersGatherLetsThemGoOn() {
        var ids = play.stable(2);
        var ticket = play.join(Join.fresh().as(ids.get(0)));

        play.fire(new Timer.Session(ids.get(1)));

        assertThat(play.joined(ticket).generationId()).isEqualTo(2);
    }

    @Test
    void anIdThatIsStillToJoinIsWaitedFor() {
        var ids = play.stable(1);
        var pending = play.joined(play.join(Join.fresh().version(4))).memberId();
        var ticket = play.join(Join.fresh().as(ids.getFirst()));
        assertThat(play.isAnswered(ticket)).isFalse();

        play.fire(new Timer.Pending(pending));

        assertThat(play.joined(ticket).generationId()).isEqualTo(2);
    }

    @Test
    void loadedMembersHaveTheirSessionsBegunAnew() {
        var ids = play.stable(2);
        var loaded = new Play();
        loaded.become(ClassicGroup.restored("g", play.group().snapshot()));

        loaded.happen(new GroupEvent.Loaded());

        assertThat(ids).allSatisfy(id -> assertThat(loaded.armed(new Timer.Session(id))).isEqualTo(10_000));
        assertThat(loaded.heartbeat(ids.getFirst(), null, 1)).isEqualTo(Errors.NONE);
    }

    @ParameterizedTest
    @CsvSource({"true, 1, NONE", "true, 2, ILLEGAL_GENERATION", "false, 1, UNKNOWN_MEMBER_ID",
            "false, -1, UNKNOWN_MEMBER_ID"})
    void aCommitIsTakenFromMembersOfThisGeneration(boolean member, int generation, Errors error) {
        var id = play.stable(1).getFirst();

        assertThat(play.group().commitAllowed(member ? id : generation < 0 ? "" : "stranger", null, generation, false))
                .isEqualTo(error);
    }

    @Test
    void aCommitIsTakenFromAnybodyWhileTheGroupIsEmptyAndFromNobodyWhileItCompletes() {
        assertThat(play.group().commitAllowed("", null, -1, false)).isEqualTo(Errors.NONE);
        var ticket = play.join(Join.fresh());
        play.fire(new Timer.Gathering());

        assertThat(play.group().commitAllowed(play.joined(ticket).memberId(), null, 1, false))
                .isEqualTo(Errors.REBALANCE_IN_PROGRESS);
        assertThat(play.group().commitAllowed(play.joined(ticket).memberId(), null, 1, true))
                .as("a producer has no answer to that").isEqualTo(Errors.NONE);
        assertThat(play.group().dead().commitAllowed("", null, -1, false)).isEqualTo(Errors.COORDINATOR_NOT_AVAILABLE);
    }
}
