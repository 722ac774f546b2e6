package io.millrace.coordinator.shard;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.base.loop.Backoff;
import io.millrace.base.simulation.SimulatedLoop;
import io.millrace.coordinator.group.ClientIdentity;
import io.millrace.coordinator.group.GroupLimits;
import io.millrace.wire.error.Failures;
import org.apache.kafka.common.message.JoinGroupRequestData;
import org.apache.kafka.common.message.JoinGroupRequestData.JoinGroupRequestProtocol;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestPartition;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestTopic;
import org.apache.kafka.common.message.OffsetCommitResponseData;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestGroup;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestTopics;
import org.apache.kafka.common.message.SyncGroupRequestData;
import org.apache.kafka.common.message.SyncGroupRequestData.SyncGroupRequestAssignment;
import org.apache.kafka.common.protocol.Errors;

/// A shard on virtual time over a log in memory.
final class ShardWorld {
    final SimulatedLoop loop = new SimulatedLoop();
    final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    final FakeStorage storage = new FakeStorage(loop);
    private final ShardRuntime runtime = new ShardRuntime(storage, new ShardMetrics(meters, loop.ticker()),
            loop.clock(), loop.ticker(), new Random(1), new Backoff(Duration.ofMillis(100), Duration.ofSeconds(1)),
            new AppendLimits(1000, 5000));
    Shard<GroupShard> shard = another();

    /// Another coordinator's view of the same shard.
    Shard<GroupShard> another() {
        return new Shard<>(0, loop, GroupShard.type(settings()), runtime);
    }

    private static ShardSettings settings() {
        return new ShardSettings(new GroupLimits(6000, 1_800_000, 100, 0), 10, Duration.ofMinutes(1),
                Duration.ofSeconds(5));
    }

    void own(int epoch) {
        shard.own(epoch);
        loop.advance(Duration.ofSeconds(5));
    }

    <A> CompletableFuture<A> call(Function<GroupShard, CompletableFuture<A>> call) {
        var answer = shard.call(call);
        loop.runPending();
        return answer;
    }

    /// Lets calls under way come to their end.
    void settle() {
        loop.advance(FakeStorage.LATENCY.multipliedBy(10));
    }

    CompletableFuture<OffsetCommitResponseData> commit(String group, String topic, int partition, long offset) {
        return commit(group, "", -1, topic, partition, offset, "");
    }

    CompletableFuture<OffsetCommitResponseData> commit(String group, String member, int generation, String topic,
            int partition, long offset, String metadata) {
        var request = new OffsetCommitRequestData().setGroupId(group).setMemberId(member)
                .setGenerationIdOrMemberEpoch(generation)
                .setTopics(List.of(new OffsetCommitRequestTopic().setName(topic)
                        .setPartitions(List.of(new OffsetCommitRequestPartition().setPartitionIndex(partition)
                                .setCommittedOffset(offset).setCommittedMetadata(metadata)))));
        return call(active -> active.commit(request));
    }

    static Errors error(CompletableFuture<OffsetCommitResponseData> commit) {
        return commit.isCompletedExceptionally()
                ? Failures.errorOf(commit.exceptionNow())
                : Errors.forCode(commit.getNow(new OffsetCommitResponseData()).topics().getFirst().partitions()
                        .getFirst().errorCode());
    }

    /// The committed offset, -1 for none.
    long fetch(String group, String topic, int partition) {
        var request = new OffsetFetchRequestGroup().setGroupId(group).setTopics(
                List.of(new OffsetFetchRequestTopics().setName(topic).setPartitionIndexes(List.of(partition))));
        return call(active -> CompletableFuture.completedFuture(active.fetch(request, false))).join().topics()
                .getFirst()
                .partitions().getFirst().committedOffset();
    }

    /// One member alone in a stable group, subscribed to nothing that can be told; its id.
    String joinAlone(String group) {
        var request = new JoinGroupRequestData().setGroupId(group).setSessionTimeoutMs(10_000)
                .setRebalanceTimeoutMs(10_000).setProtocolType("consumer");
        request.protocols().add(new JoinGroupRequestProtocol().setName("range").setMetadata(new byte[]{1}));
        var joined = call(active -> active.join(request, 3, new ClientIdentity("c", "/h"))).join();
        var sync = new SyncGroupRequestData().setGroupId(group).setMemberId(joined.memberId()).setGenerationId(1)
                .setAssignments(List.of(new SyncGroupRequestAssignment().setMemberId(joined.memberId())
                        .setAssignment(new byte[]{7})));
        call(active -> active.sync(sync));
        settle();
        return joined.memberId();
    }

    /// What operators see of all groups, in order.
    List<Object> seen() {
        return call(active -> CompletableFuture.completedFuture(active.list(Set.of()).stream()
                .map(group -> active.describe(group.groupId())).sorted((one, other) -> one.groupId().compareTo(
                        other.groupId()))
                .<Object>map(group -> group).toList())).join();
    }

    double gauge(String name) {
        return Objects.requireNonNull(meters.find(name).gauge()).value();
    }
}
