package io.millrace.coordinator.group.classic;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;

import io.millrace.coordinator.group.GroupLimits;
import io.millrace.coordinator.group.GroupState;
import io.millrace.coordinator.group.classic.Play.Join;
import org.apache.kafka.common.message.JoinGroupResponseData.JoinGroupResponseMember;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class JoiningTest {
    private final Play play = new Play();

    static Stream<Arguments> refusals() {
        return Stream.of(
                Arguments.of(Join.fresh().protocols(new String[0]), Errors.INCONSISTENT_GROUP_PROTOCOL),
                Arguments.of(Join.fresh().type(""), Errors.INCONSISTENT_GROUP_PROTOCOL),
                Arguments.of(Join.fresh().session(5999), Errors.INVALID_SESSION_TIMEOUT),
                Arguments.of(Join.fresh().session(1_800_001), Errors.INVALID_SESSION_TIMEOUT),
                Arguments.of(Join.fresh().as("stranger"), Errors.UNKNOWN_MEMBER_ID),
                Arguments.of(Join.fresh().as("stranger").instance("i"), Errors.UNKNOWN_MEMBER_ID));
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void aFirstMemberIsRefusedForWhatItAsks(Join join, Errors error) {
        var answer = play.join(join);

        assertThat(play.joinError(answer)).isEqualTo(error);
        assertThat(play.group().isBlank()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"6000", "1800000"})
    void sessionsAtTheBoundsAreAllowed(int session) {
        var answer = play.join(Join.fresh().session(session));

        assertThat(play.isAnswered(answer)).isFalse();
        assertThat(play.state()).isEqualTo(GroupState.PREPARING_REBALANCE);
    }

    static Stream<Arguments> strangers() {
        return Stream.of(
                Arguments.of(Join.fresh().type("connect"), Errors.INCONSISTENT_GROUP_PROTOCOL),
                Arguments.of(Join.fresh().protocols("sticky"), Errors.INCONSISTENT_GROUP_PROTOCOL),
                Arguments.of(Join.fresh().as("stranger"), Errors.UNKNOWN_MEMBER_ID));
    }

    @ParameterizedTest
    @MethodSource("strangers")
    void aMemberWithNothingInCommonIsNotLetIn(Join join, Errors error) {
        play.stable(1);

        var answer = play.join(join);

        assertThat(play.joinError(answer)).isEqualTo(error);
        assertThat(play.state()).isEqualTo(GroupState.STABLE);
    }

    @Test
    void theProtocolThatMostPreferAmongThoseThatAllKnowIsChosen() {
        var first = play.join(Join.fresh().protocols("a", "b", "c"));
        play.join(Join.fresh().protocols("c", "b"));
        play.join(Join.fresh().protocols("x", "b", "c"));
        play.fire(new Timer.Gathering());
        play.fire(new Timer.Gathering());

        assertThat(play.joined(first).protocolName()).isEqualTo("b");
    }

    @Test
    void aClientThatCanLearnsItsIdBeforeItIsLetIn() {
        var first = play.join(Join.fresh().version(4));

        assertThat(play.joinError(first)).isEqualTo(Errors.MEMBER_ID_REQUIRED);
        var id = play.joined(first).memberId();
        assertThat(play.state()).isEqualTo(GroupState.EMPTY);
        assertThat(play.armed(new Timer.Pending(id))).isEqualTo(10_000);

        var second = play.join(Join.fresh().version(4).as(id));
        play.fire(new Timer.Gathering());
        assertThat(play.joined(second).memberId()).isEqualTo(id);
        assertThat(play.isArmed(new Timer.Pending(id))).isFalse();
    }

    @Test
    void anIdThatWasNotUsedInTimeIsForgotten() {
        var id = play.joined(play.join(Join.fresh().version(4))).memberId();

        play.fire(new Timer.Pending(id));

        assertThat(play.group().isBlank()).isTrue();
        assertThat(play.joinError(play.join(Join.fresh().version(4).as(id)))).isEqualTo(Errors.UNKNOWN_MEMBER_ID);
    }

    @Test
    void clientsThatRetryTheirFirstJoinLeaveNoMembersBehind() {
        for (int i = 0; i < 20; i++) {
            play.join(Join.fresh().version(4));
        }

        assertThat(play.group().members()).isEmpty();
    }

    @Test
    void onlyTheLeaderGetsTheListOfMembers() {
        var first = play.join(Join.fresh());
        var second = play.join(Join.fresh());
        play.fire(new Timer.Gathering());
        play.fire(new Timer.Gathering());

        var leader = play.joined(first);
        assertThat(leader.leader()).isEqualTo(leader.memberId());
        assertThat(leader.members()).extracting(JoinGroupResponseMember::memberId)
                .containsExactly(leader.memberId(), play.joined(second).memberId());
        assertThat(play.joined(second).members()).isEmpty();
        assertThat(play.joined(second).leader()).isEqualTo(leader.memberId());
        assertThat(leader.generationId()).isEqualTo(1).isEqualTo(play.joined(second).generationId());
    }

    @Test
    void theFirstWindowGrowsWhileMembersArriveAndNotBeyondTheRebalanceTimeout() {
        play.join(Join.fresh().rebalance(7000));
        assertThat(play.armed(new Timer.Gathering())).isEqualTo(3000);

        play.join(Join.fresh().rebalance(7000));
        play.fire(new Timer.Gathering());
        assertThat(play.armed(new Timer.Gathering())).isEqualTo(3000);

        play.join(Join.fresh().rebalance(7000));
        play.fire(new Timer.Gathering());
        assertThat(play.armed(new Timer.Gathering())).isEqualTo(1000);

        play.join(Join.fresh().rebalance(7000));
        play.fire(new Timer.Gathering());
        assertThat(play.state()).isEqualTo(GroupState.COMPLETING_REBALANCE);
    }

    @Test
    void theFirstWindowEndsWhenNobodyCameSince() {
        play.join(Join.fresh());

        play.fire(new Timer.Gathering());

        assertThat(play.state()).isEqualTo(GroupState.COMPLETING_REBALANCE);
    }

    @Test
    void aFullGroupTakesNoOneMore() {
        var small = new Play(new GroupLimits(6000, 1_800_000, 2, 3000));
        small.stable(2);

        assertThat(small.joinError(small.join(Join.fresh()))).isEqualTo(Errors.GROUP_MAX_SIZE_REACHED);
    }

    @Test
    void whileMembersGatherTheFirstComeHaveTheirPlace() {
        var small = new Play(new GroupLimits(6000, 1_800_000, 2, 3000));
        var ids = small.stable(2);
        small.join(Join.fresh().as(ids.getFirst()));

        var newcomer = small.join(Join.fresh());
        var late = small.join(Join.fresh().as(ids.getLast()));

        assertThat(small.isAnswered(newcomer)).isFalse();
        assertThat(small.joinError(late)).isEqualTo(Errors.GROUP_MAX_SIZE_REACHED);
    }

    @Test
    void aMemberThatMissedItsAnswerIsToldOnceMore() {
        var ticket = play.join(Join.fresh());
        play.fire(new Timer.Gathering());
        var id = play.joined(ticket).memberId();

        var again = play.join(Join.fresh().as(id));

        assertThat(play.joined(again)).isEqualTo(play.joined(ticket));
    }

    @Test
    void aFollowerThatJoinsAgainUnchangedDisturbsNobody() {
        var ids = play.stable(2);

        var again = play.join(Join.fresh().as(ids.getLast()));

        assertThat(play.joined(again).generationId()).isEqualTo(1);
        assertThat(play.state()).isEqualTo(GroupState.STABLE);
    }

    @Test
    void aLeaderThatJoinsAgainAsksForANewAssignment() {
        var ids = play.stable(2);

        play.join(Join.fresh().as(ids.getFirst()));

        assertThat(play.state()).isEqualTo(GroupState.PREPARING_REBALANCE);
        assertThat(play.heartbeat(ids.getLast(), null, 1)).isEqualTo(Errors.REBALANCE_IN_PROGRESS);
    }

    @Test
    void aMemberWithAChangedSubscriptionMakesAllJoinAgain() {
        var ids = play.stable(2);

        var changed = play.join(Join.fresh().as(ids.getLast()).protocols("range", "sticky"));
        var other = play.join(Join.fresh().as(ids.getFirst()));

        assertThat(play.joined(changed).generationId()).isEqualTo(2);
        assertThat(play.joined(other).generationId()).isEqualTo(2);
        assertThat(play.state()).isEqualTo(GroupState.COMPLETING_REBALANCE);
    }

    @Test
    void aSecondJoinOfTheSameMemberTakesThePlaceOfTheFirst() {
        var ids = play.stable(2);
        var first = play.join(Join.fresh().as(ids.getFirst()));
        var second = play.join(Join.fresh().as(ids.getFirst()));

        assertThat(play.joinError(first)).isEqualTo(Errors.REBALANCE_IN_PROGRESS);
        assertThat(play.isAnswered(second)).isFalse();
    }

    @Test
    void membersThatDoNotComeInTimeAreLeftBehindAtOnce() {
        var ids = play.stable(5);
        var newcomer = play.join(Join.fresh());
        for (var id : List.of(ids.get(0), ids.get(1), ids.get(2))) {
            play.join(Join.fresh().as(id));
        }
        assertThat(play.armed(new Timer.Gathering())).isEqualTo(60_000);
        assertThat(play.isAnswered(newcomer)).isFalse();

        play.fire(new Timer.Gathering());

        assertThat(play.joined(newcomer).generationId()).isEqualTo(2);
        assertThat(play.group().members()).hasSize(4);
        assertThat(play.isArmed(new Timer.Session(ids.get(3)))).isFalse();
    }

    @Test
    void theGreatestRebalanceTimeoutOfTheGroupCounts() {
        play.join(Join.fresh().rebalance(20_000));
        play.join(Join.fresh().rebalance(90_000));
        play.fire(new Timer.Gathering());
        play.fire(new Timer.Gathering());

        play.join(Join.fresh());

        assertThat(play.armed(new Timer.Gathering())).isEqualTo(90_000);
    }

    @Test
    void aGroupWithoutAnyoneLeftIsEmptyAndStoredAsSuch() {
        var ids = play.stable(2);
        play.join(Join.fresh().as(ids.getFirst()).protocols("other", "range"));
        play.holdStores();

        play.happen(new GroupEvent.SessionExpired(ids.getLast()));
        var generation = play.generation();
        play.leave(ids.getFirst());

        assertThat(play.state()).isEqualTo(GroupState.EMPTY);
        assertThat(play.generation()).isEqualTo(generation + 1);
        assertThat(play.lastStore().snapshot().members()).isEmpty();
        assertThat(play.group().leader()).isNull();
    }

    @Test
    void aGroupBeingDeletedTakesNobody() {
        play.become(play.group().dead());

        assertThat(play.joinError(play.join(Join.fresh()))).isEqualTo(Errors.COORDINATOR_NOT_AVAILABLE);
    }

    @Test
    void aVersionWithoutRebalanceTimeoutUsesTheSessions() {
        play.join(Join.fresh().version(0).rebalance(-1));
        play.fire(new Timer.Gathering());

        assertThat(play.armed(new Timer.Syncing())).isEqualTo(10_000);
    }
}
