package io.millrace.coordinator.group.classic;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import io.millrace.coordinator.group.GroupState;
import io.millrace.coordinator.group.classic.Play.Join;
import org.apache.kafka.common.message.LeaveGroupRequestData.MemberIdentity;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;

class StaticMembersTest {
    private final Play play = new Play();

    @Test
    void aStaticMemberIsLetInAtOnce() {
        var ticket = play.join(Join.fresh().version(5).instance("a"));
        play.fire(new Timer.Gathering());

        assertThat(play.joined(ticket).memberId()).startsWith("a-");
    }

    @Test
    void aRestartInAStableGroupDisturbsNobodyAndKeepsTheAssignment() {
        var ids = stable();

        var ticket = play.join(Join.fresh().version(5).instance("b"));

        assertThat(play.state()).isEqualTo(GroupState.STABLE);
        var answer = play.joined(ticket);
        assertThat(answer.memberId()).isNotEqualTo(ids.get(1)).startsWith("b-");
        assertThat(answer.generationId()).isEqualTo(1);
        var synced = play.sync(answer.memberId(), 1);
        assertThat(play.synced(synced).assignment()).isEqualTo(ids.get(1).getBytes(UTF_8));
        assertThat(play.heartbeat(ids.get(1), "b", 1)).isEqualTo(Errors.FENCED_INSTANCE_ID);
    }

    @Test
    void aLeaderThatRestartsIsToldOfItsFormerSelfUnlessItCanSkipTheAssignment() {
        var ids = stable();

        var old = play.joined(play.join(Join.fresh().version(5).instance("a")));
        assertThat(old.leader()).isEqualTo(ids.getFirst());
        assertThat(old.members()).isEmpty();

        var newer = play.joined(play.join(Join.fresh().version(9).instance("a")));
        assertThat(newer.leader()).isEqualTo(newer.memberId());
        assertThat(newer.skipAssignment()).isTrue();
        assertThat(newer.members()).hasSize(2);
    }

    @Test
    void aRestartThatCannotBeStoredIsUndone() {
        var ids = stable();
        play.holdStores();
        var ticket = play.join(Join.fresh().version(5).instance("b"));
        assertThat(play.isAnswered(ticket)).isFalse();

        play.notStored(Errors.COORDINATOR_NOT_AVAILABLE);

        assertThat(play.joinError(ticket)).isEqualTo(Errors.COORDINATOR_NOT_AVAILABLE);
        assertThat(play.heartbeat(ids.get(1), "b", 1)).isEqualTo(Errors.NONE);
        assertThat(play.isArmed(new Timer.Session(ids.get(1)))).isTrue();
    }

    @Test
    void aRestartThatWouldChangeTheProtocolMakesAllJoinAgain() {
        var first = play.join(Join.fresh().version(5).instance("a").protocols("x", "y"));
        var second = play.join(Join.fresh().version(5).instance("b").protocols("x", "y"));
        settle(first, second);

        play.join(Join.fresh().version(5).instance("b").protocols("y"));

        assertThat(play.state()).isEqualTo(GroupState.PREPARING_REBALANCE);
    }

    @Test
    void aRestartWhileTheGroupCompletesMakesAllJoinAgain() {
        var first = play.join(Join.fresh().version(5).instance("a"));
        play.fire(new Timer.Gathering());
        assertThat(play.joinError(first)).isEqualTo(Errors.NONE);

        var again = play.join(Join.fresh().version(5).instance("a"));

        assertThat(play.joined(again).generationId()).isEqualTo(2);
        assertThat(play.joined(again).leader()).isEqualTo(play.joined(again).memberId());
    }

    @Test
    void theFormerSelfThatStillWaitsIsFenced() {
        stable();
        play.join(Join.fresh());
        var former = play.join(Join.fresh().version(5).instance("b").as(memberOf("b")));
        assertThat(play.isAnswered(former)).isFalse();

        play.join(Join.fresh().version(5).instance("b"));

        assertThat(play.joinError(former)).isEqualTo(Errors.FENCED_INSTANCE_ID);
    }

    @Test
    void requestsUnderAFormerIdAreFencedEverywhere() {
        var ids = stable();
        play.join(Join.fresh().version(5).instance("b"));
        var former = ids.get(1);

        assertThat(play.joinError(play.join(Join.fresh().version(5).instance("b").as(former))))
                .isEqualTo(Errors.FENCED_INSTANCE_ID);
        assertThat(play.leave(new MemberIdentity().setMemberId(former).setGroupInstanceId("b")))
                .containsExactly(Errors.FENCED_INSTANCE_ID);
        assertThat(play.group().commitAllowed(former, "b", 1, false)).isEqualTo(Errors.FENCED_INSTANCE_ID);
        assertThat(play.heartbeat(former, "c", 1)).isEqualTo(Errors.UNKNOWN_MEMBER_ID);
    }

    @Test
    void anAbsentStaticMemberKeepsItsPlaceUntilItsSessionEnds() {
        var ids = stable();
        var newcomer = play.join(Join.fresh());
        play.join(Join.fresh().version(5).instance("a").as(ids.getFirst()));

        play.fire(new Timer.Gathering());

        assertThat(play.joined(newcomer).generationId()).isEqualTo(2);
        assertThat(play.group().members()).containsKey(ids.get(1)).hasSize(3);
        play.fire(new Timer.Session(ids.get(1)));
        assertThat(play.group().members()).hasSize(2);
    }

    @Test
    void whenNoStaticMemberComesTheGroupWaitsOn() {
        var ids = stable();
        play.leave(new MemberIdentity().setGroupInstanceId("a"));

        play.fire(new Timer.Gathering());

        assertThat(play.state()).isEqualTo(GroupState.PREPARING_REBALANCE);
        assertThat(play.isArmed(new Timer.Gathering())).isTrue();
        play.fire(new Timer.Session(ids.get(1)));
        assertThat(play.state()).isEqualTo(GroupState.EMPTY);
    }

    @Test
    void anOperatorRemovesAStaticMemberByItsInstanceAlone() {
        stable();

        assertThat(play.leave(new MemberIdentity().setGroupInstanceId("b"))).containsExactly(Errors.NONE);
        assertThat(play.group().staticMember("b")).isEmpty();
    }

    private String memberOf(String instance) {
        return play.group().staticMember(instance).orElseThrow().id();
    }

    private List<String> stable() {
        return settle(play.join(Join.fresh().version(5).instance("a")),
                play.join(Join.fresh().version(5).instance("b")));
    }

    private List<String> settle(long first, long second) {
        play.fire(new Timer.Gathering());
        play.fire(new Timer.Gathering());
        var ids = List.of(play.joined(first).memberId(), play.joined(second).memberId());
        play.sync(ids.get(0), 1, ids.toArray(String[]::new));
        play.sync(ids.get(1), 1);
        return ids;
    }
}
