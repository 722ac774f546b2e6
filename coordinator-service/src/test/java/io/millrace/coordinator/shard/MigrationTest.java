package io.millrace.coordinator.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

import io.millrace.coordinator.group.ClientIdentity;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData.TopicPartitions;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatResponseData;
import org.apache.kafka.common.message.ConsumerProtocolAssignment;
import org.apache.kafka.common.message.ConsumerProtocolSubscription;
import org.apache.kafka.common.message.HeartbeatRequestData;
import org.apache.kafka.common.message.JoinGroupRequestData;
import org.apache.kafka.common.message.JoinGroupRequestData.JoinGroupRequestProtocol;
import org.apache.kafka.common.message.JoinGroupResponseData;
import org.apache.kafka.common.message.SyncGroupRequestData;
import org.apache.kafka.common.message.SyncGroupRequestData.SyncGroupRequestAssignment;
import org.apache.kafka.common.message.SyncGroupResponseData;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.Message;
import org.apache.kafka.common.protocol.MessageUtil;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A classic group becomes a consumer group and back while its members go on, by what goes over the wire.
class MigrationTest {
    private static final short VERSION = 1;
    private static final ClientIdentity CLIENT = new ClientIdentity("c", "/h");

    private final ShardWorld world = new ShardWorld();
    private String old = "";

    @BeforeEach
    void aClassicMemberAlone() {
        world.topic("t", 4);
        world.own(1);
        var joined = join("");
        old = joined.memberId();
        sync(joined.generationId(), List.of(0, 1, 2, 3));
    }

    @Test
    void theFirstConsumerMemberConvertsTheGroupAndGetsItsShareOnceTheOldOneGaveItUp() {
        var fresh = heartbeat("new", 0, null);
        assertThat(fresh.memberEpoch()).isEqualTo(2);
        assertThat(Objects.requireNonNull(fresh.assignment()).topicPartitions()).isEmpty();
        assertThat(type()).isEqualTo("consumer");
        assertThat(beat(1)).isEqualTo(Errors.REBALANCE_IN_PROGRESS);

        var told = join(old, 0, 1, 2, 3);
        assertThat(told.generationId()).isEqualTo(1);
        var kept = synced(sync(1, List.of()));
        assertThat(kept).hasSize(2);
        assertThat(beat(1)).isEqualTo(Errors.REBALANCE_IN_PROGRESS);
        var done = join(old, kept.toArray(Integer[]::new));
        assertThat(done.generationId()).isEqualTo(2);
        assertThat(synced(sync(2, List.of()))).isEqualTo(kept);
        assertThat(beat(2)).isEqualTo(Errors.NONE);
        assertThat(Objects.requireNonNull(heartbeat("new", 2, null).assignment()).topicPartitions().getFirst()
                .partitions()).hasSize(2).doesNotContainAnyElementsOf(kept);
    }

    @Test
    void theLastConsumerMemberThatLeavesMakesItAClassicGroupAgain() {
        heartbeat("new", 0, null);
        join(old);
        sync(2, List.of());

        heartbeat("new", -1, null);

        assertThat(type()).isEqualTo("classic");
        assertThat(beat(3)).isEqualTo(Errors.REBALANCE_IN_PROGRESS);
        var joined = join(old);
        assertThat(joined.leader()).isEqualTo(old);
        assertThat(synced(sync(joined.generationId(), List.of(0, 1, 2, 3)))).hasSize(4);
    }

    @Test
    void aMixedGroupIsStillOneAfterItsShardMoved() {
        heartbeat("new", 0, null);
        join(old);
        var had = synced(sync(2, List.of()));
        world.shard = world.another();

        world.own(2);

        assertThat(beat(2)).isEqualTo(Errors.NONE);
        assertThat(synced(sync(2, List.of()))).isEqualTo(had);
        assertThat(heartbeat("new", 2, null).errorCode()).isZero();
    }

    @Test
    void aClassicMemberThatDoesNotJoinAgainIsOut() {
        heartbeat("new", 0, null);
        for (int i = 0; i < 8; i++) {
            beat(1);
            heartbeat("new", 2, null);
            world.loop.advance(Duration.ofSeconds(4));
        }

        assertThat(beat(1)).isEqualTo(Errors.UNKNOWN_MEMBER_ID);
        assertThat(world.call(active -> CompletableFuture.completedFuture(active.describeConsumer("g"))).join()
                .members())
                .singleElement().satisfies(member -> assertThat(member.assignment().topicPartitions().getFirst()
                        .partitions()).hasSize(4));
    }

    @Test
    void aConversionThatCannotBeStoredLeavesTheClassicGroup() {
        world.storage.failAppend(Errors.NOT_ENOUGH_REPLICAS);

        var request = world.call(active -> active.heartbeat(request("new", 0, null), 1, CLIENT));
        world.settle();

        assertThat(request).isCompletedExceptionally();
        assertThat(type()).isEqualTo("classic");
        assertThat(beat(1)).isEqualTo(Errors.NONE);
        world.loop.advance(Duration.ofSeconds(40));
        assertThat(beat(1)).isEqualTo(Errors.UNKNOWN_MEMBER_ID);
    }

    private String type() {
        return world.call(active -> CompletableFuture.completedFuture(active.list())).join().getFirst().groupType();
    }

    private JoinGroupResponseData join(String member, Integer... owned) {
        var subscription = new ConsumerProtocolSubscription().setTopics(List.of("t"));
        if (owned.length > 0) {
            subscription.ownedPartitions().add(new ConsumerProtocolSubscription.TopicPartition().setTopic("t")
                    .setPartitions(List.of(owned)));
        }
        var request = new JoinGroupRequestData().setGroupId("g").setMemberId(member).setSessionTimeoutMs(30_000)
                .setRebalanceTimeoutMs(20_000).setProtocolType("consumer");
        request.protocols().add(new JoinGroupRequestProtocol().setName("cooperative-sticky").setMetadata(bytes(
                subscription)));
        var answer = world.call(active -> active.join(request, 3, CLIENT));
        world.settle();
        return answer.join();
    }

    private SyncGroupResponseData sync(int generation, List<Integer> assigned) {
        var request = new SyncGroupRequestData().setGroupId("g").setMemberId(old).setGenerationId(generation);
        if (!assigned.isEmpty()) {
            var assignment = new ConsumerProtocolAssignment();
            assignment.assignedPartitions().add(new ConsumerProtocolAssignment.TopicPartition().setTopic("t")
                    .setPartitions(assigned));
            request.setAssignments(List.of(new SyncGroupRequestAssignment().setMemberId(old).setAssignment(bytes(
                    assignment))));
        }
        var answer = world.call(active -> active.sync(request));
        world.settle();
        return answer.join();
    }

    private static List<Integer> synced(SyncGroupResponseData answer) {
        assertThat(Errors.forCode(answer.errorCode())).isEqualTo(Errors.NONE);
        var buffer = ByteBuffer.wrap(answer.assignment());
        short version = buffer.getShort();
        return new ConsumerProtocolAssignment(new ByteBufferAccessor(buffer), version).assignedPartitions().stream()
                .flatMap(topic -> topic.partitions().stream()).toList();
    }

    private Errors beat(int generation) {
        var request = new HeartbeatRequestData().setGroupId("g").setMemberId(old).setGenerationId(generation);
        var answer = world.call(active -> active.heartbeat(request));
        world.settle();
        return Errors.forCode(answer.join().errorCode());
    }

    private ConsumerGroupHeartbeatResponseData heartbeat(String member, int epoch,
            @Nullable List<TopicPartitions> owned) {
        var answer = world.call(active -> active.heartbeat(request(member, epoch, owned), 1, CLIENT));
        world.settle();
        return answer.join();
    }

    private static ConsumerGroupHeartbeatRequestData request(String member, int epoch,
            @Nullable List<TopicPartitions> owned) {
        var request = new ConsumerGroupHeartbeatRequestData().setGroupId("g").setMemberId(member)
                .setMemberEpoch(epoch);
        return epoch == 0
                ? request.setSubscribedTopicNames(List.of("t")).setRebalanceTimeoutMs(20_000).setTopicPartitions(List
                        .of())
                : request.setTopicPartitions(owned);
    }

    private static byte[] bytes(Message message) {
        var buffer = MessageUtil.toVersionPrefixedByteBuffer(VERSION, message);
        var bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return bytes;
    }
}
