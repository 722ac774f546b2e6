package io.millrace.coordinator.shard;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.IntStream;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.base.loop.Backoff;
import io.millrace.base.simulation.SimulatedLoop;
import io.millrace.coordinator.group.ClientIdentity;
import io.millrace.coordinator.group.GroupLimits;
import io.millrace.coordinator.group.consumer.Assignor;
import io.millrace.coordinator.group.consumer.ConsumerRules;
import io.millrace.coordinator.group.consumer.ConsumerRules.Migration;
import io.millrace.coordinator.group.consumer.ConsumerTerms;
import io.millrace.coordinator.offsets.Admission;
import io.millrace.metadata.command.ShardsPrepared.Prepared;
import io.millrace.metadata.image.Changes;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.PartitionImage;
import io.millrace.metadata.image.TopicImage;
import io.millrace.wire.api.MarkerStamp;
import io.millrace.wire.error.Failures;
import org.apache.kafka.common.Uuid;
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
    private final TopicWatch topics = new TopicWatch();
    private final GroupWorld groups = new GroupWorld(topics::directory, _ -> new ConsumerTerms(45_000, 5_000));
    final List<Prepared> prepared = new ArrayList<>();
    private ClusterImage image = ClusterImage.EMPTY;
    Shard<GroupShard> shard = another();

    /// A topic comes to be, or grows.
    Uuid topic(String name, int partitions) {
        var id = image.topic(name).map(TopicImage::id).orElseGet(() -> new UUID(7, name.hashCode()));
        var topic = new TopicImage(name, id, IntStream.range(0, partitions).mapToObj(
                number -> new PartitionImage(number, List.of(0), List.of(0), List.of(), List.of(), 0, 0, 0)).toList());
        var next = image.with(image.topics().with(topic));
        topics.apply(image, next, Changes.between(image, next));
        image = next;
        return new Uuid(id.getMostSignificantBits(), id.getLeastSignificantBits());
    }

    /// Another coordinator's view of the same shard.
    Shard<GroupShard> another() {
        return new Shard<>(0, loop, GroupShard.type(settings(), groups), runtime, prepared::add);
    }

    private static ShardSettings settings() {
        return new ShardSettings(new GroupLimits(6000, 1_800_000, 100, 0),
                new ConsumerRules(List.of(Assignor.UNIFORM, Assignor.RANGE), 100, Migration.BIDIRECTIONAL), 10, Duration
                        .ofMinutes(1),
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

    /// A commit in the transaction of that producer, whose coordinator has just said that it may.
    CompletableFuture<OffsetCommitResponseData> commitInTransaction(String group, String member, int generation,
            long producerId, long offset) {
        return commitInTransaction(group, member, generation, producerId, offset, leave());
    }

    CompletableFuture<OffsetCommitResponseData> commitInTransaction(String group, String member, int generation,
            long producerId, long offset, Admission admission) {
        var request = new OffsetCommitRequestData().setGroupId(group).setMemberId(member)
                .setGenerationIdOrMemberEpoch(generation)
                .setTopics(List.of(new OffsetCommitRequestTopic().setName("t")
                        .setPartitions(List.of(new OffsetCommitRequestPartition().setPartitionIndex(0)
                                .setCommittedOffset(offset).setCommittedMetadata("")))));
        return call(active -> active.commitInTransaction(request, producerId, (short) 0, admission));
    }

    /// Of a coordinator in epoch 1.
    Admission leave() {
        return leave(1);
    }

    Admission leave(int coordinatorEpoch) {
        return new Admission(call(active -> CompletableFuture.completedFuture(active.leave())).join(),
                coordinatorEpoch);
    }

    Errors end(long producerId, boolean commit) {
        return end(producerId, commit, 1, Optional.empty());
    }

    Errors end(long producerId, boolean commit, int coordinatorEpoch, Optional<MarkerStamp> stamp) {
        var answer = call(active -> active.endTransaction(producerId, (short) 0, commit, coordinatorEpoch, stamp));
        settle();
        return answer.getNow(Errors.UNKNOWN_SERVER_ERROR);
    }

    /// What a reader that waits for transactions is told of that group.
    Errors fetchStable(String group) {
        var request = new OffsetFetchRequestGroup().setGroupId(group).setTopics(
                List.of(new OffsetFetchRequestTopics().setName("t").setPartitionIndexes(List.of(0))));
        var answer = call(active -> active.fetch(request, true));
        settle();
        return Errors.forCode(answer.join().topics().getFirst().partitions().getFirst().errorCode());
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
        var answer = call(active -> active.fetch(request, false));
        settle();
        return answer.join().topics().getFirst().partitions().getFirst().committedOffset();
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
        return call(active -> CompletableFuture.completedFuture(active.list().stream()
                .map(group -> active.describe(group.groupId())).sorted((one, other) -> one.groupId().compareTo(
                        other.groupId()))
                .<Object>map(group -> group).toList())).join();
    }

    double gauge(String name) {
        return Objects.requireNonNull(meters.find(name).gauge()).value();
    }
}
