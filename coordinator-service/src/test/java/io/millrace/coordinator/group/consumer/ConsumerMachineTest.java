package io.millrace.coordinator.group.consumer;

import static io.millrace.coordinator.group.consumer.GroupPlay.A;
import static io.millrace.coordinator.group.consumer.GroupPlay.B;
import static io.millrace.coordinator.group.consumer.GroupPlay.error;
import static io.millrace.coordinator.group.consumer.GroupPlay.given;
import static io.millrace.coordinator.group.consumer.GroupPlay.join;
import static io.millrace.coordinator.group.consumer.GroupPlay.part;
import static io.millrace.coordinator.group.consumer.GroupPlay.report;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import io.millrace.coordinator.group.GroupState;
import io.millrace.coordinator.group.consumer.ConsumerRules.Migration;
import io.millrace.coordinator.record.ConsumerGroupRecord;
import io.millrace.coordinator.record.Partitions;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ConsumerMachineTest {
    private final GroupPlay play = new GroupPlay().topic("a", A, 4);

    @Test
    void theFirstMemberGetsEverythingAtOnce() {
        var answer = play.ask(join("m1", "a"));

        assertThat(answer.memberEpoch()).isEqualTo(1);
        assertThat(answer.heartbeatIntervalMs()).isEqualTo(5_000);
        assertThat(given(answer)).isEqualTo(part(A, 0, 1, 2, 3));
        assertThat(play.group.state()).isEqualTo(GroupState.STABLE);
        assertThat(play.runs(new ConsumerTimer.Session("m1"))).isTrue();
    }

    @Test
    void aNewcomerWaitsUntilTheOwnerHasGivenUpItsShare() {
        play.ask(join("m1", "a"));

        var newcomer = play.ask(join("m2", "a"));
        assertThat(newcomer.memberEpoch()).isEqualTo(2);
        assertThat(given(newcomer)).isEqualTo(Partitions.NONE);
        var told = play.ask(report("m1", 1, null));
        assertThat(told.memberEpoch()).isEqualTo(1);
        var kept = Objects.requireNonNull(given(told));
        assertThat(kept.size()).isEqualTo(2);
        assertThat(play.runs(new ConsumerTimer.Revocation("m1"))).isTrue();
        assertThat(play.group.state()).isEqualTo(GroupState.RECONCILING);
        assertThat(given(play.ask(report("m2", 2, Partitions.NONE)))).isNull();

        assertThat(play.ask(report("m1", 1, kept)).memberEpoch()).isEqualTo(2);
        assertThat(play.runs(new ConsumerTimer.Revocation("m1"))).isFalse();
        assertThat(given(play.ask(report("m2", 2, null)))).isEqualTo(part(A, 0, 1, 2, 3).minus(kept));
        assertThat(play.group.state()).isEqualTo(GroupState.STABLE);
    }

    @Test
    void aMemberThatStillHasWhatItShouldGiveUpIsToldAgainAndNobodyGetsIt() {
        play.ask(join("m1", "a"));
        play.ask(join("m2", "a"));
        play.ask(report("m1", 1, null));

        assertThat(play.ask(report("m1", 1, part(A, 0, 1, 2, 3))).memberEpoch()).isEqualTo(1);
        assertThat(given(play.ask(report("m2", 2, null)))).isNull();
    }

    @Test
    void aRepeatedJoinIsNoWordThatAnythingWasGivenUp() {
        play.ask(join("m1", "a"));
        play.ask(join("m2", "a"));
        play.ask(report("m1", 1, null));

        var again = play.ask(join("m1", "a"));

        assertThat(error(again)).isEqualTo(Errors.NONE);
        assertThat(again.memberEpoch()).isEqualTo(1);
        assertThat(given(play.ask(report("m2", 2, null)))).isNull();
    }

    @Test
    void aMemberThatGivesNothingUpInTimeIsOutAndTheRestGoesOn() {
        play.ask(join("m1", "a"));
        play.ask(join("m2", "a"));
        play.ask(report("m1", 1, null));

        play.expire(new ConsumerTimer.Revocation("m1"));

        assertThat(given(play.ask(report("m2", 2, null)))).isEqualTo(part(A, 0, 1, 2, 3));
        assertThat(error(play.ask(report("m1", 1, null)))).isEqualTo(Errors.UNKNOWN_MEMBER_ID);
    }

    @Test
    void aSilentMemberIsOut() {
        play.ask(join("m1", "a"));
        play.ask(join("m2", "a"));

        play.expire(new ConsumerTimer.Session("m1"));

        assertThat(given(play.ask(report("m2", 2, null)))).isEqualTo(part(A, 0, 1, 2, 3));
    }

    @Test
    void aMemberThatLeavesIsMissedAtOnce() {
        play.ask(join("m1", "a"));
        play.ask(join("m2", "a"));

        var left = play.ask(report("m1", -1, null));

        assertThat(left.memberEpoch()).isEqualTo(-1);
        assertThat(play.group.members()).containsOnlyKeys("m2");
        assertThat(given(play.ask(report("m2", 2, null)))).isEqualTo(part(A, 0, 1, 2, 3));
        play.ask(report("m2", -1, null));
        assertThat(play.group.state()).isEqualTo(GroupState.EMPTY);
        assertThat(play.runs(new ConsumerTimer.Session("m2"))).isFalse();
    }

    @Test
    void membersThatJoinTogetherCostOneEpochAndEachGetsItsShare() {
        var answers = play.together(join("m1", "a"), join("m2", "a"));

        assertThat(answers).allSatisfy(answer -> assertThat(answer.memberEpoch()).isEqualTo(1));
        assertThat(answers.stream().map(GroupPlay::given)).containsExactlyInAnyOrder(part(A, 0, 2), part(A, 1, 3));
    }

    @Test
    void aTopicThatGrowsOrComesIsDealtOut() {
        play.ask(join("m1", "a", "b"));

        play.topic("a", A, 5);
        assertThat(given(play.ask(report("m1", 1, null)))).isEqualTo(part(A, 0, 1, 2, 3, 4));
        play.topic("b", B, 1);
        assertThat(given(play.ask(report("m1", 2, null)))).isEqualTo(part(A, 0, 1, 2, 3, 4).plus(part(B, 0)));
        assertThat(play.ask(report("m1", 3, null)).memberEpoch()).isEqualTo(3);
    }

    @Test
    void aTopicThatConcernsNobodyChangesNothing() {
        play.ask(join("m1", "a"));

        play.topic("b", B, 1);

        assertThat(play.ask(report("m1", 1, null)).memberEpoch()).isEqualTo(1);
        assertThat(play.last.records()).isEmpty();
    }

    @Test
    void aQuietReportStoresNothing() {
        play.ask(join("m1", "a"));

        var answer = play.ask(report("m1", 1, null));

        assertThat(play.last.records()).isEmpty();
        assertThat(given(answer)).isNull();
    }

    @Test
    void aPatternStandsForTheTopicsThatFitItNowAndLater() {
        play.topic("b", B, 1);
        var pattern = join("m1").setSubscribedTopicNames(null).setSubscribedTopicRegex("[ax].*");

        assertThat(given(play.ask(pattern))).isEqualTo(part(A, 0, 1, 2, 3));
        var x = new Uuid(0, 3);
        play.topic("xyz", x, 1);
        assertThat(given(play.ask(report("m1", 1, null)))).isEqualTo(part(A, 0, 1, 2, 3).plus(part(x, 0)));
        assertThat(error(play.ask(join("m2").setSubscribedTopicRegex("(a")))).isEqualTo(
                Errors.INVALID_REGULAR_EXPRESSION);
        assertThat(play.group.members()).containsOnlyKeys("m1");
    }

    @Test
    void theAssignorThatMostAskForIsUsed() {
        play.topic("b", B, 4);

        var answers = play.together(join("m1", "a", "b").setServerAssignor("range"), join("m2", "a", "b"));

        assertThat(answers.stream().map(GroupPlay::given)).containsExactly(part(A, 0, 1).plus(part(B, 0, 1)),
                part(A, 2, 3).plus(part(B, 2, 3)));
    }

    @ParameterizedTest(name = "epoch {0}, owned known {1}: {2}")
    @CsvSource({"2, false, NONE", "3, false, FENCED_MEMBER_EPOCH", "1, true, NONE", "1, false, FENCED_MEMBER_EPOCH"})
    void anEpochIsTheNewestOrTheOneBeforeWithNothingMore(int epoch, boolean ownedKnown, Errors expected) {
        play.ask(join("m1", "a"));
        play.topic("a", A, 5);
        play.ask(report("m1", 1, null));

        var answer = play.ask(report("m1", epoch, ownedKnown ? part(A, 0, 1) : null));

        assertThat(error(answer)).isEqualTo(expected);
        if (epoch == 1 && ownedKnown) {
            assertThat(given(answer)).isEqualTo(part(A, 0, 1, 2, 3, 4));
        }
    }

    @Test
    void aFullGroupTakesNobodyMore() {
        play.together(join("m1", "a"), join("m2", "a"), join("m3", "a"));

        assertThat(error(play.ask(join("m4", "a")))).isEqualTo(Errors.GROUP_MAX_SIZE_REACHED);
        assertThat(error(play.ask(join("m3", "a")))).isEqualTo(Errors.NONE);
    }

    @Test
    void aStaticMemberComesBackAsAnotherProcessWithoutMovingAnything() {
        play.together(join("m1", "a").setInstanceId("i"), join("m2", "a"));
        var had = play.group.target("m1");
        assertThat(error(play.ask(join("m9", "a").setInstanceId("i")))).isEqualTo(Errors.UNRELEASED_INSTANCE_ID);
        assertThat(play.ask(report("m1", -2, null).setInstanceId("i")).memberEpoch()).isEqualTo(-2);

        var back = play.ask(join("m9", "a").setInstanceId("i"));

        assertThat(back.memberEpoch()).isEqualTo(1);
        assertThat(given(back)).isEqualTo(had);
        assertThat(play.group.epoch()).isEqualTo(1);
        assertThat(error(play.ask(report("m1", 1, null).setInstanceId("i")))).isEqualTo(Errors.FENCED_INSTANCE_ID);
    }

    @Test
    void aStaticMemberThatStaysAwayIsOutInTheEnd() {
        play.together(join("m1", "a").setInstanceId("i"), join("m2", "a"));
        play.ask(report("m1", -2, null).setInstanceId("i"));

        play.expire(new ConsumerTimer.Session("m1"));

        assertThat(given(play.ask(report("m2", 1, null)))).isEqualTo(part(A, 0, 1, 2, 3));
    }

    @ParameterizedTest(name = "member {0} epoch {1}: commit {2}, fetch {3}")
    @CsvSource({"m1, 1, NONE, NONE", "m1, 0, STALE_MEMBER_EPOCH, STALE_MEMBER_EPOCH",
            "m1, 2, STALE_MEMBER_EPOCH, STALE_MEMBER_EPOCH", "mx, 1, UNKNOWN_MEMBER_ID, UNKNOWN_MEMBER_ID",
            "'', -1, UNKNOWN_MEMBER_ID, NONE"})
    void offsetsAreCommittedAndFetchedInTheMembersEpoch(String member, int epoch, Errors commit, Errors fetch) {
        play.ask(join("m1", "a"));

        assertThat(play.group.commitAllowed(member, null, epoch)).isEqualTo(commit);
        assertThat(play.group.fetchAllowed(member, epoch)).isEqualTo(fetch);
    }

    @Test
    void anybodyMayCommitForAGroupThatNobodyIsIn() {
        play.ask(join("m1", "a"));
        play.ask(report("m1", -1, null));

        assertThat(play.group.commitAllowed("", null, -1)).isEqualTo(Errors.NONE);
    }

    @Test
    void whatIsReplayedIsWhatWasDecided() {
        play.together(join("m1", "a").setInstanceId("i"), join("m2", "a"));
        var replayed = ConsumerGroup.empty("g");
        for (var record : play.last.records()) {
            replayed = replayed.replay((ConsumerGroupRecord) record);
        }

        assertThat(replayed.lookedAt(play.group.topicsVersion())).isEqualTo(play.group);
    }

    static Stream<Arguments> wrong() {
        return Stream.of(
                Arguments.of(join("m", "a").setGroupId(""), 1, Errors.INVALID_REQUEST),
                Arguments.of(join("", "a"), 1, Errors.INVALID_REQUEST),
                Arguments.of(join("m", "a").setInstanceId(""), 1, Errors.INVALID_REQUEST),
                Arguments.of(join("m", "a").setRackId(""), 1, Errors.INVALID_REQUEST),
                Arguments.of(join("m", "a").setRebalanceTimeoutMs(-1), 1, Errors.INVALID_REQUEST),
                Arguments.of(join("m", "a").setTopicPartitions(null), 1, Errors.INVALID_REQUEST),
                Arguments.of(join("m").setSubscribedTopicNames(null), 1, Errors.INVALID_REQUEST),
                Arguments.of(report("m", -3, null), 1, Errors.INVALID_REQUEST),
                Arguments.of(report("m", -2, null), 1, Errors.INVALID_REQUEST),
                Arguments.of(report("", 1, null), 0, Errors.INVALID_REQUEST),
                Arguments.of(join("m", "a").setServerAssignor("sticky"), 1, Errors.UNSUPPORTED_ASSIGNOR));
    }

    @ParameterizedTest
    @MethodSource("wrong")
    void aRequestThatCannotBeRightIsRefused(ConsumerGroupHeartbeatRequestData request, int version, Errors expected) {
        var rules = new ConsumerRules(List.of(Assignor.UNIFORM), 3, Migration.BIDIRECTIONAL);

        assertThat(HeartbeatChecks.refusal(request, version, rules)).hasValueSatisfying(
                answer -> assertThat(error(answer)).isEqualTo(expected));
    }

    @Test
    void aFirstRequestOfTheOldVersionGetsItsIdFromHere() {
        var rules = new ConsumerRules(List.of(Assignor.UNIFORM), 3, Migration.BIDIRECTIONAL);

        assertThat(HeartbeatChecks.refusal(join("", "a"), 0, rules)).isEmpty();
        assertThat(play.ask(join("", "a")).memberId()).isEqualTo("fresh");
    }
}
