package io.millrace.coordinator.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;

import io.millrace.base.simulation.Seeds;
import io.millrace.coordinator.group.ClientIdentity;
import io.millrace.coordinator.record.Bytes;
import io.millrace.coordinator.record.EncodedRecord;
import io.millrace.metadata.command.ShardsPrepared.Prepared;
import io.millrace.metadata.image.ShardKind;
import io.millrace.wire.api.AddedText;
import io.millrace.wire.error.Failures;
import org.apache.kafka.common.message.DescribeGroupsResponseData.DescribedGroup;
import org.apache.kafka.common.message.HeartbeatRequestData;
import org.apache.kafka.common.message.JoinGroupRequestData;
import org.apache.kafka.common.message.JoinGroupRequestData.JoinGroupRequestProtocol;
import org.apache.kafka.common.message.LeaveGroupRequestData;
import org.apache.kafka.common.message.LeaveGroupRequestData.MemberIdentity;
import org.apache.kafka.common.message.OffsetDeleteRequestData;
import org.apache.kafka.common.message.OffsetDeleteRequestData.OffsetDeleteRequestPartition;
import org.apache.kafka.common.message.OffsetDeleteRequestData.OffsetDeleteRequestTopic;
import org.apache.kafka.common.message.OffsetDeleteRequestData.OffsetDeleteRequestTopicCollection;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestGroup;
import org.apache.kafka.common.message.SyncGroupRequestData;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ShardTest {
    private final ShardWorld world = new ShardWorld();

    @Test
    void aShardThatIsNotOursSaysSo() {
        assertThat(ShardWorld.error(world.commit("g", "t", 0, 1))).isEqualTo(Errors.NOT_COORDINATOR);
    }

    @Test
    void whileAShardLoadsItsClientsAreToWait() {
        world.shard.own(1);

        assertThat(ShardWorld.error(world.commit("g", "t", 0, 1))).isEqualTo(Errors.COORDINATOR_LOAD_IN_PROGRESS);
    }

    @Test
    void aCommitIsSeenOnceItIsStored() {
        world.own(1);

        var commit = world.commit("g", "t", 0, 42);
        assertThat(commit).isNotDone();
        world.settle();

        assertThat(ShardWorld.error(commit)).isEqualTo(Errors.NONE);
        assertThat(world.fetch("g", "t", 0)).isEqualTo(42);
        assertThat(world.gauge("kafka.coordinator.group.groupmetadatamanager.numoffsets")).isEqualTo(1);
    }

    @Test
    void commitsThatComeWhileOneIsOnItsWayShareTheNextBatch() {
        world.own(1);
        world.storage.batchSizes().clear();

        for (int i = 0; i < 6; i++) {
            world.commit("g" + i, "t", 0, i);
        }
        world.settle();

        assertThat(world.storage.batchSizes()).containsExactly(1, 5);
    }

    @Test
    void textThatIsTooLongRefusesItsPartition() {
        world.own(1);

        assertThat(ShardWorld.error(world.commit("g", "", -1, "t", 0, 1, "01234567890")))
                .isEqualTo(Errors.OFFSET_METADATA_TOO_LARGE);
    }

    @ParameterizedTest
    @CsvSource({"NOT_ENOUGH_REPLICAS, COORDINATOR_NOT_AVAILABLE", "REQUEST_TIMED_OUT, COORDINATOR_NOT_AVAILABLE",
            "NOT_LEADER_OR_FOLLOWER, COORDINATOR_NOT_AVAILABLE", "MESSAGE_TOO_LARGE, INVALID_COMMIT_OFFSET_SIZE"})
    void aCommitThatCannotBeStoredChangesNothing(Errors failure, Errors answer) {
        world.own(1);
        world.commit("g", "t", 0, 1);
        world.settle();
        world.storage.failAppend(failure);

        var commit = world.commit("g", "t", 0, 2);
        world.settle();

        assertThat(ShardWorld.error(commit)).isEqualTo(answer);
        assertThat(world.fetch("g", "t", 0)).isEqualTo(1);
        var next = world.commit("g", "t", 0, 3);
        world.settle();
        assertThat(ShardWorld.error(next)).isEqualTo(Errors.NONE);
    }

    @Test
    void aFirstCommitThatCannotBeStoredLeavesNoGroupBehind() {
        world.own(1);
        world.storage.failAppend(Errors.NOT_ENOUGH_REPLICAS);

        world.commit("g", "t", 0, 1);
        world.settle();

        assertThat(world.seen()).isEmpty();
        assertThat(world.gauge("kafka.coordinator.group.groupmetadatamanager.numgroups")).isZero();
    }

    @Test
    void tooMuchThatWaitsIsRefusedAndNothingOfItIsStored() {
        world.own(1);
        world.storage.hold();

        var commits = LongStream.range(0, 300).mapToObj(i -> world.commit("group-" + i, "topic", 0, i)).toList();
        world.storage.letGo();
        world.loop.advance(Duration.ofSeconds(2));

        assertThat(commits.stream().map(ShardWorld::error)).contains(Errors.NONE, Errors.COORDINATOR_NOT_AVAILABLE);
        assertThat(ShardWorld.error(commits.getLast())).isEqualTo(Errors.COORDINATOR_NOT_AVAILABLE);
        assertThat(world.fetch("group-299", "topic", 0)).isEqualTo(-1);
    }

    @Test
    void anOwnerThatWasReplacedCanAppendNothingAndSaysSo() {
        world.own(1);
        var member = world.joinAlone("g");
        world.storage.takenOver(2);

        var commit = world.commit("g", member, 1, "t", 0, 5, "");
        world.settle();

        assertThat(ShardWorld.error(commit)).isEqualTo(Errors.NOT_COORDINATOR);
        assertThat(ShardWorld.error(world.commit("g", "t", 0, 6))).isEqualTo(Errors.NOT_COORDINATOR);
        assertThat(world.gauge("millrace.coordinator.shard.count")).isZero();
        assertThat(world.gauge("kafka.coordinator.group.groupmetadatamanager.numgroups")).isZero();
    }

    @Test
    void aNewOwnerMarksTheLogBeforeItReads() {
        world.own(1);
        world.commit("g", "t", 0, 7);
        world.settle();
        var former = world.shard;
        world.shard = world.another();

        world.own(2);

        assertThat(world.fetch("g", "t", 0)).isEqualTo(7);
        world.shard = former;
        var late = world.commit("g", "t", 0, 8);
        world.settle();
        assertThat(ShardWorld.error(late)).isEqualTo(Errors.NOT_COORDINATOR);
    }

    @Test
    void aLoadGoesOnAfterFailures() {
        world.own(1);
        world.commit("g", "t", 0, 7);
        world.settle();
        world.shard = world.another();
        world.storage.failAppend(Errors.NOT_ENOUGH_REPLICAS);
        world.storage.failRead(Errors.NOT_LEADER_OR_FOLLOWER);

        world.own(2);

        assertThat(world.fetch("g", "t", 0)).isEqualTo(7);
    }

    @Test
    void aLoadThatANewerOwnerOvertookIsGivenUp() {
        world.storage.takenOver(5);

        world.own(4);
        assertThat(ShardWorld.error(world.commit("g", "t", 0, 1))).isEqualTo(Errors.NOT_COORDINATOR);

        world.own(6);
        assertThat(world.fetch("g", "t", 0)).isEqualTo(-1);
    }

    @Test
    void aDamagedRecordIsPassedOverAndTheRestIsLoaded() {
        world.own(1);
        world.commit("g", "t", 0, 7);
        world.settle();
        world.storage.add(new EncodedRecord(Bytes.of(new byte[]{0, 1, 0}), null));
        world.commit("g", "t", 1, 8);
        world.settle();
        world.shard = world.another();

        world.own(2);

        assertThat(world.fetch("g", "t", 0)).isEqualTo(7);
        assertThat(world.fetch("g", "t", 1)).isEqualTo(8);
        assertThat(world.meters.counter("millrace.coordinator.shard.malformed.records").count()).isEqualTo(1);
    }

    @Test
    void aMemberGoesOnAfterItsShardMoved() {
        world.own(1);
        var member = world.joinAlone("g");
        world.shard.disown();
        world.own(2);

        var heartbeat = world.call(active -> active
                .heartbeat(new HeartbeatRequestData().setGroupId("g").setMemberId(member).setGenerationId(1)));
        var sync = world.call(active -> active
                .sync(new SyncGroupRequestData().setGroupId("g").setMemberId(member).setGenerationId(1)));

        assertThat(heartbeat.join().errorCode()).isEqualTo(Errors.NONE.code());
        assertThat(sync.join().assignment()).containsExactly(7);
    }

    @Test
    void aMemberThatDiedWhileItsShardMovedIsRemovedInTheEnd() {
        world.own(1);
        world.joinAlone("g");
        world.shard.disown();
        world.own(2);

        world.loop.advance(Duration.ofSeconds(30));

        assertThat(describe("g").members()).isEmpty();
    }

    @Test
    void whoWaitsWhenTheShardGoesIsTold() {
        world.own(1);
        world.storage.hold();
        var commit = world.commit("g", "t", 0, 1);
        world.shard.disown();
        world.settle();

        assertThat(ShardWorld.error(commit)).isEqualTo(Errors.NOT_COORDINATOR);
    }

    @Test
    void anAssignmentThatCannotBeStoredIsNotHandedOut() {
        world.own(1);
        world.storage.failAppend(Errors.NOT_ENOUGH_REPLICAS);

        var member = world.joinAlone("g");

        var heartbeat = world.call(active -> active
                .heartbeat(new HeartbeatRequestData().setGroupId("g").setMemberId(member).setGenerationId(1)));
        assertThat(Errors.forCode(heartbeat.join().errorCode())).isEqualTo(Errors.REBALANCE_IN_PROGRESS);
    }

    @Test
    void onlyEmptyGroupsAreDeletedAndOnlyOnce() {
        world.own(1);
        var member = world.joinAlone("live");
        world.commit("simple", "t", 0, 1);
        world.settle();
        assertThat(delete("live")).isEqualTo(Errors.NON_EMPTY_GROUP);
        assertThat(delete("unknown")).isEqualTo(Errors.GROUP_ID_NOT_FOUND);
        assertThat(delete("simple")).isEqualTo(Errors.NONE);
        assertThat(delete("simple")).isEqualTo(Errors.GROUP_ID_NOT_FOUND);
        leave("live", member);

        assertThat(delete("live")).isEqualTo(Errors.NONE);

        assertThat(world.seen()).isEmpty();
        world.shard.disown();
        world.own(2);
        assertThat(world.seen()).isEmpty();
    }

    @Test
    void aCommitOnItsWayDoesNotOutliveTheDeletionOfItsGroup() {
        world.own(1);
        world.storage.hold();
        world.commit("g", "t", 0, 1);
        var deleted = world.call(active -> active.delete("g"));
        var late = world.commit("g", "t", 0, 2);
        world.storage.letGo();
        world.loop.advance(Duration.ofSeconds(1));

        assertThat(deleted).isCompletedWithValue(Errors.NONE);
        assertThat(ShardWorld.error(late)).isEqualTo(Errors.COORDINATOR_NOT_AVAILABLE);
        assertThat(world.fetch("g", "t", 0)).isEqualTo(-1);
        world.shard.disown();
        world.own(2);
        assertThat(world.fetch("g", "t", 0)).isEqualTo(-1);
    }

    @Test
    void aDeletionThatCannotBeStoredLeavesTheGroup() {
        world.own(1);
        world.commit("g", "t", 0, 1);
        world.settle();
        world.storage.failAppend(Errors.NOT_ENOUGH_REPLICAS);

        assertThat(delete("g")).isEqualTo(Errors.COORDINATOR_NOT_AVAILABLE);

        assertThat(world.fetch("g", "t", 0)).isEqualTo(1);
        assertThat(describe("g").groupState()).isEqualTo("Empty");
    }

    @Test
    void offsetsOfOnePartitionAreDeleted() {
        world.own(1);
        world.commit("g", "t", 0, 1);
        world.commit("g", "t", 1, 2);
        world.settle();

        assertThat(deleteOffset("g", "t", 0)).isEqualTo(Errors.NONE);
        assertThat(deleteOffset("g", "t", 9)).isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION);
        assertThat(deleteOffset("unknown", "t", 0)).isEqualTo(Errors.GROUP_ID_NOT_FOUND);

        assertThat(world.fetch("g", "t", 0)).isEqualTo(-1);
        assertThat(world.fetch("g", "t", 1)).isEqualTo(2);
    }

    @Test
    void theOffsetsOfADeletedTopicGoWithIt() {
        world.own(1);
        world.commit("g", "t", 0, 1);
        world.commit("g", "u", 0, 2);
        world.settle();

        world.shard.topicsDeleted(Set.of("t"));
        world.settle();

        assertThat(world.fetch("g", "t", 0)).isEqualTo(-1);
        assertThat(world.fetch("g", "u", 0)).isEqualTo(2);
    }

    @Test
    void aSimpleGroupGoesWithItsLastOffsetAndStaysGone() {
        world.own(1);
        world.commit("g", "t", 0, 1);
        world.loop.advance(Duration.ofSeconds(50));
        assertThat(world.fetch("g", "t", 0)).isEqualTo(1);

        world.loop.advance(Duration.ofSeconds(20));

        assertThat(world.seen()).isEmpty();
        world.shard.disown();
        world.own(2);
        assertThat(world.fetch("g", "t", 0)).isEqualTo(-1);
    }

    @Test
    void offsetsOfAGroupWithATransactionUnderWayDoNotExpire() {
        world.own(1);
        world.commit("g", "t", 0, 1);
        world.settle();
        world.commitInTransaction("g", "", -1, 5, 2);
        world.settle();

        world.loop.advance(Duration.ofMinutes(3));
        assertThat(world.fetch("g", "t", 0)).isEqualTo(1);

        world.call(active -> active.endTransaction(5, (short) 0, true, 0, Optional.empty()));
        world.settle();
        assertThat(world.fetch("g", "t", 0)).isEqualTo(2);
    }

    @Test
    void offsetsAgeFromTheMomentTheLastMemberLeft() {
        world.own(1);
        var member = world.joinAlone("g");
        world.commit("g", member, 1, "t", 0, 1, "");
        world.settle();
        for (int i = 0; i < 30; i++) {
            world.loop.advance(Duration.ofSeconds(5));
            world.call(active -> active
                    .heartbeat(new HeartbeatRequestData().setGroupId("g").setMemberId(member).setGenerationId(1)));
        }
        assertThat(world.fetch("g", "t", 0)).isEqualTo(1);
        leave("g", member);
        world.loop.advance(Duration.ofSeconds(50));
        assertThat(world.fetch("g", "t", 0)).isEqualTo(1);

        world.loop.advance(Duration.ofSeconds(20));

        assertThat(world.seen()).isEmpty();
    }

    static LongStream seeds() {
        return Seeds.of(40);
    }

    @ParameterizedTest(name = "-Dseed={0}")
    @MethodSource("seeds")
    void whatIsLoadedIsWhatWasThere(long seed) {
        var random = new Random(seed);
        world.own(1);
        var members = new String[]{world.joinAlone("m0"), world.joinAlone("m1")};
        for (int i = 0; i < 200; i++) {
            switch (random.nextInt(30)) {
                case 0, 1, 2 -> world.storage.failAppend(Errors.NOT_ENOUGH_REPLICAS);
                case 3 -> world.storage.failAppend(Errors.REQUEST_TIMED_OUT);
                case 4 -> world.storage.loseAnswer();
                default -> {
                }
            }
            var simple = "s" + random.nextInt(3);
            switch (random.nextInt(6)) {
                case 0, 1 -> world.commit(simple, "t" + random.nextInt(2), random.nextInt(3), i);
                case 2, 3 -> world.commit("m" + i % 2, members[i % 2], 1, "t", random.nextInt(3), i, "");
                case 4 -> world.call(active -> active.delete(simple));
                default -> deleteOffset(simple, "t0", random.nextInt(3));
            }
            world.loop.advance(Duration.ofMillis(random.nextInt(8)));
        }
        world.storage.failNoMore();
        world.loop.advance(Duration.ofSeconds(5));
        var groups = world.seen();
        var offsets = offsets();
        world.shard.disown();

        world.own(2);

        assertThat(world.seen()).isEqualTo(groups);
        assertThat(offsets()).isEqualTo(offsets);
    }

    @Test
    void whatBecameOfAnAppendIsLookedUpWhereItIsNotKnown() {
        world.own(1);
        world.commit("g", "t", 0, 1);
        world.settle();
        world.storage.loseAnswer();

        var commit = world.commit("g", "t", 0, 2);
        world.loop.advance(Duration.ofSeconds(1));

        assertThat(ShardWorld.error(commit)).isEqualTo(Errors.COORDINATOR_NOT_AVAILABLE);
        assertThat(world.fetch("g", "t", 0)).isEqualTo(2);
    }

    @Test
    void anOwnerThatWasReplacedTellsNoOffset() {
        world.own(1);
        world.commit("g", "t", 0, 1);
        world.settle();
        world.storage.takenOver(2);

        var answer = world.call(active -> active.fetch(new OffsetFetchRequestGroup().setGroupId("g").setTopics(null),
                false));
        world.settle();

        assertThat(Errors.forCode(answer.join().errorCode())).isEqualTo(Errors.NOT_COORDINATOR);
    }

    @Test
    void fetchesThatComeTogetherAreMadeSureTogether() {
        world.own(1);
        world.storage.batchSizes().clear();

        for (int i = 0; i < 6; i++) {
            world.call(active -> active.fetch(new OffsetFetchRequestGroup().setGroupId("g").setTopics(null), false));
        }
        world.settle();

        assertThat(world.storage.batchSizes()).containsExactly(1, 1);
    }

    private List<Long> offsets() {
        return List.of("s0", "s1", "s2", "m0", "m1").stream()
                .flatMap(group -> List.of("t", "t0", "t1").stream()
                        .flatMap(topic -> List.of(0, 1, 2).stream().map(part -> world.fetch(group, topic, part))))
                .toList();
    }

    private DescribedGroup describe(String group) {
        return world.call(active -> CompletableFuture.completedFuture(active.describe(group))).join();
    }

    private Errors delete(String group) {
        var deleted = world.call(active -> active.delete(group));
        world.settle();
        return deleted.handle((error, failure) -> failure == null ? error : Failures.errorOf(failure)).join();
    }

    private Errors deleteOffset(String group, String topic, int partition) {
        var topics = new OffsetDeleteRequestTopicCollection(1);
        topics.add(new OffsetDeleteRequestTopic().setName(topic)
                .setPartitions(List.of(new OffsetDeleteRequestPartition().setPartitionIndex(partition))));
        var answer = world.call(active -> active.deleteOffsets(
                new OffsetDeleteRequestData().setGroupId(group).setTopics(topics), (_, number) -> number < 3));
        world.settle();
        if (answer.isCompletedExceptionally()) {
            return Failures.errorOf(answer.exceptionNow());
        }
        var response = answer.join();
        return Errors.forCode(response.errorCode() != 0
                ? response.errorCode()
                : response.topics().iterator().next().partitions().iterator().next().errorCode());
    }

    private void leave(String group, String member) {
        world.call(active -> active.leave(new LeaveGroupRequestData().setGroupId(group)
                .setMembers(List.of(new MemberIdentity().setMemberId(member)))));
        world.settle();
    }

    @Test
    void whyAGroupRebalancedLastAndWhatItsClientsAreIsTold() {
        world.own(1);
        var request = new JoinGroupRequestData().setGroupId("g").setSessionTimeoutMs(10_000).setRebalanceTimeoutMs(
                10_000).setProtocolType("consumer");
        request.protocols().add(new JoinGroupRequestProtocol().setName("range").setMetadata(new byte[]{1}));
        world.call(active -> active.join(request, 3, new ClientIdentity("c", "/h", "librdkafka 2.12.0")));

        var group = describe("g");

        assertThat(AddedText.of(group)).hasValueSatisfying(text -> assertThat(text).startsWith(world.loop.clock()
                .millis() + " "));
        assertThat(group.members()).singleElement().satisfies(member -> assertThat(AddedText.of(member)).contains(
                "librdkafka 2.12.0"));
    }

    @Test
    void aSuccessorReadsAlongAndOwnsTheShardAtOnce() {
        world.own(1);
        world.commit("g", "t", 0, 1);
        world.settle();
        var successor = world.another();

        successor.standBy(2);
        world.loop.advance(Duration.ofSeconds(1));
        assertThat(world.prepared).contains(new Prepared(ShardKind.GROUP, 0, 2));
        assertThat(call(successor, "g")).as("not before it is told").isEqualTo(Errors.NOT_COORDINATOR);
        world.commit("g", "t", 0, 2);
        world.loop.advance(Duration.ofSeconds(1));
        int reads = world.storage.reads();
        successor.own(2);
        world.loop.runPending();
        assertThat(call(successor, "g")).isEqualTo(Errors.COORDINATOR_LOAD_IN_PROGRESS);
        world.loop.advance(FakeStorage.LATENCY.multipliedBy(3));

        assertThat(world.storage.reads() - reads).as("only the tail").isLessThanOrEqualTo(2);
        var late = world.commit("g", "t", 0, 3);
        world.settle();
        assertThat(ShardWorld.error(late)).as("at the old owner").isEqualTo(Errors.NOT_COORDINATOR);
        world.shard = successor;
        assertThat(world.fetch("g", "t", 0)).isEqualTo(2);
    }

    @Test
    void aCommitOfTheOldOwnerThatCameInBeforeTheHandoverIsKept() {
        world.own(1);
        var successor = world.another();
        successor.standBy(2);
        world.loop.advance(Duration.ofSeconds(1));

        var commit = world.commit("g", "t", 0, 7);
        successor.own(2);
        world.settle();

        assertThat(ShardWorld.error(commit)).isEqualTo(Errors.NONE);
        world.shard = successor;
        assertThat(world.fetch("g", "t", 0)).isEqualTo(7);
    }

    @Test
    void aSuccessorSaysAgainThatItIsReadyUntilItIsHeard() {
        world.shard.standBy(2);

        world.loop.advance(Duration.ofSeconds(5));

        assertThat(world.prepared).hasSizeBetween(3, 7).containsOnly(new Prepared(ShardKind.GROUP, 0, 2));
    }

    @Test
    void aSuccessorWhoseLogWasCutLoadsAnew() {
        world.own(1);
        world.commit("g", "t", 0, 1);
        world.commit("h", "t", 0, 1);
        world.settle();
        var successor = world.another();
        successor.standBy(2);
        world.loop.advance(Duration.ofSeconds(1));

        world.storage.cut(2);
        successor.own(2);
        world.loop.advance(Duration.ofSeconds(1));

        world.shard = successor;
        assertThat(world.fetch("g", "t", 0)).isEqualTo(1);
        assertThat(world.fetch("h", "t", 0)).isEqualTo(-1);
    }

    @Test
    void whoIsNoLongerToSucceedForgetsWhatItRead() {
        world.own(1);
        world.commit("g", "t", 0, 1);
        world.settle();
        var successor = world.another();
        successor.standBy(2);
        world.loop.advance(Duration.ofSeconds(1));
        assertThat(world.gauge("kafka.coordinator.group.groupmetadatamanager.numoffsets")).isEqualTo(2);

        successor.disown();
        world.loop.advance(Duration.ofSeconds(1));
        int reads = world.storage.reads();
        world.loop.advance(Duration.ofSeconds(1));

        assertThat(world.gauge("kafka.coordinator.group.groupmetadatamanager.numoffsets")).isEqualTo(1);
        assertThat(world.storage.reads()).isEqualTo(reads);
        assertThat(world.gauge("millrace.coordinator.shard.count")).isEqualTo(1);
    }

    private Errors call(Shard<GroupShard> shard, String group) {
        var answer = shard.call(active -> CompletableFuture.completedFuture(active.describe(group)));
        world.loop.runPending();
        return answer.isCompletedExceptionally() ? Failures.errorOf(answer.exceptionNow()) : Errors.NONE;
    }
}
