package io.millrace.coordinator.shard;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiPredicate;

import io.millrace.base.loop.Loop;
import io.millrace.base.loop.Timeout;
import io.millrace.coordinator.group.ClientIdentity;
import io.millrace.coordinator.group.classic.Answers;
import io.millrace.coordinator.group.classic.ClassicMachine;
import io.millrace.coordinator.group.classic.GroupEvent;
import io.millrace.coordinator.group.consumer.ConsumerEvent;
import io.millrace.coordinator.group.consumer.ConsumerMachine;
import io.millrace.coordinator.group.consumer.HeartbeatChecks;
import io.millrace.coordinator.offsets.Admission;
import io.millrace.coordinator.offsets.RecentEnds;
import io.millrace.coordinator.record.EncodedRecord;
import io.millrace.coordinator.record.GroupRecord;
import io.millrace.coordinator.record.GroupRecord.GroupRemoved;
import io.millrace.coordinator.record.GroupRecordCodec;
import io.millrace.coordinator.storage.ShardBatch.Origin;
import io.millrace.coordinator.storage.Stored;
import io.millrace.coordinator.storage.StoredMarker;
import io.millrace.coordinator.storage.StoredRecord;
import io.millrace.metadata.image.ShardKind;
import io.millrace.wire.api.MarkerStamp;
import org.apache.kafka.common.message.ConsumerGroupDescribeResponseData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatResponseData;
import org.apache.kafka.common.message.DescribeGroupsResponseData.DescribedGroup;
import org.apache.kafka.common.message.HeartbeatRequestData;
import org.apache.kafka.common.message.HeartbeatResponseData;
import org.apache.kafka.common.message.JoinGroupRequestData;
import org.apache.kafka.common.message.JoinGroupResponseData;
import org.apache.kafka.common.message.LeaveGroupRequestData;
import org.apache.kafka.common.message.LeaveGroupResponseData;
import org.apache.kafka.common.message.ListGroupsResponseData.ListedGroup;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitResponseData;
import org.apache.kafka.common.message.OffsetDeleteRequestData;
import org.apache.kafka.common.message.OffsetDeleteResponseData;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestGroup;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseGroup;
import org.apache.kafka.common.message.SyncGroupRequestData;
import org.apache.kafka.common.message.SyncGroupResponseData;
import org.apache.kafka.common.protocol.Errors;

/// The groups of a shard, on its loop: all methods are called there, and their futures complete there. Once the shard is gone
/// they fail with [io.millrace.wire.error.Refused] or carry NOT_COORDINATOR.
public final class GroupShard implements ShardContents {
    private final Loop loop;
    private final ShardSettings settings;
    private final ShardRuntime runtime;
    private final GroupTable table;
    private final AppendQueue<GroupRecord> appends;
    private final ClassicGroups classic;
    private final ConsumerGroups consumer;
    private final OffsetStore offsets;
    private final TransactionalOffsets transactional;
    private final GroupDirectory directory;
    private Timeout nextExpiry = () -> {};

    private GroupShard(ShardSettings settings, GroupWorld world, ShardPlace place) {
        this.settings = settings;
        loop = place.loop();
        runtime = place.runtime();
        table = new GroupTable(runtime.metrics());
        appends = place.appends(GroupRecordCodec::encode);
        classic = new ClassicGroups(loop, runtime.clock(), new ClassicMachine(settings.limits()), table, appends,
                runtime.metrics());
        consumer = new ConsumerGroups(loop, new ConsumerDecisions(new ConsumerMachine(settings.consumer()), world,
                runtime.clock()), table, appends, classic, runtime.metrics());
        offsets = new OffsetStore(settings, runtime, table, appends, classic, world);
        transactional = new TransactionalOffsets(settings, runtime, table, appends);
        directory = new GroupDirectory(table, appends, settings.consumer(), world);
    }

    /// Shards of groups.
    ///
    /// @param world what groups go by that is not theirs
    public static ShardType<GroupShard> type(ShardSettings settings, GroupWorld world) {
        return new ShardType<>() {
            @Override
            public ShardKind kind() {
                return ShardKind.GROUP;
            }

            // The tombstone of a group with an empty name.
            @Override
            public EncodedRecord mark() {
                return GroupRecordCodec.encode(new GroupRemoved(""));
            }

            @Override
            public GroupShard create(ShardPlace place) {
                return new GroupShard(settings, world, place);
            }
        };
    }

    @Override
    public void replay(Stored entry) {
        switch (entry) {
            case StoredRecord(_, var key, var value, var producerId) when key != null ->
                GroupRecordCodec.decode(key, value).ifPresent(record -> {
                    if (producerId == StoredRecord.NO_TRANSACTION) {
                        table.replay(record);
                    } else {
                        transactional.replay(producerId, record);
                    }
                });
            case StoredRecord _ -> {
                // Whoever wrote it, it is none of ours.
            }
            case StoredMarker(_, var producerId, var commit, var coordinatorEpoch) ->
                transactional.ended(producerId, commit, coordinatorEpoch);
        }
    }

    @Override
    public void start() {
        classic.loaded();
        consumer.loaded();
        scheduleExpiry();
    }

    @Override
    public void close() {
        nextExpiry.cancel();
        appends.close(Errors.NOT_COORDINATOR);
        classic.close();
        consumer.close();
        table.clear();
    }

    /// @param version of the request
    public CompletableFuture<JoinGroupResponseData> join(JoinGroupRequestData request, int version,
            ClientIdentity client) {
        if (consumer.owns(request.groupId())) {
            return joinConsumer(request, version, client);
        }
        var answer = classic.ask(request.groupId(), JoinGroupResponseData.class,
                ticket -> new GroupEvent.Join(ticket, request, version, client, runtime.freshId()));
        joins(request.groupId(), client);
        return answer;
    }

    private void joins(String groupId, ClientIdentity client) {
        table.find(groupId).ifPresent(slot -> slot.joins(client));
    }

    /// A consumer group that nobody is in makes room; one with members takes a classic one in.
    private CompletableFuture<JoinGroupResponseData> joinConsumer(JoinGroupRequestData request, int version,
            ClientIdentity client) {
        var slot = table.find(request.groupId());
        if (slot.isPresent() && slot.get().isEmpty()) {
            return consumer.giveUp(slot.get()).thenCompose(error -> error == Errors.NONE
                    ? join(request, version, client)
                    : CompletableFuture.completedFuture(Answers.joinRefused(error, request.memberId())));
        }
        joins(request.groupId(), client);
        return settings.limits().allowsSession(request.sessionTimeoutMs())
                ? consumer.ask(request.groupId(), JoinGroupResponseData.class,
                        ticket -> new ConsumerEvent.ClassicJoin(ticket, request, version, client, runtime.freshId()))
                : CompletableFuture.completedFuture(
                        Answers.joinRefused(Errors.INVALID_SESSION_TIMEOUT, request.memberId()));
    }

    /// The answer waits for the leader's assignment.
    public CompletableFuture<SyncGroupResponseData> sync(SyncGroupRequestData request) {
        if (consumer.owns(request.groupId())) {
            return consumer.ask(request.groupId(), SyncGroupResponseData.class,
                    ticket -> new ConsumerEvent.ClassicSync(ticket, request));
        }
        return classic.ask(request.groupId(), SyncGroupResponseData.class,
                ticket -> new GroupEvent.Sync(ticket, request));
    }

    /// A sign of life.
    public CompletableFuture<HeartbeatResponseData> heartbeat(HeartbeatRequestData request) {
        if (consumer.owns(request.groupId())) {
            return consumer.ask(request.groupId(), HeartbeatResponseData.class,
                    ticket -> new ConsumerEvent.ClassicHeartbeat(ticket, request));
        }
        return classic.ask(request.groupId(), HeartbeatResponseData.class,
                ticket -> new GroupEvent.Heartbeat(ticket, request));
    }

    /// @param request in the form of version 3 and up
    public CompletableFuture<LeaveGroupResponseData> leave(LeaveGroupRequestData request) {
        if (consumer.owns(request.groupId())) {
            return consumer.ask(request.groupId(), LeaveGroupResponseData.class,
                    ticket -> new ConsumerEvent.ClassicLeave(ticket, request));
        }
        return classic.ask(request.groupId(), LeaveGroupResponseData.class,
                ticket -> new GroupEvent.Leave(ticket, request));
    }

    /// A consumer group's member joins, reports or leaves; the answer tells it what it may have.
    ///
    /// @param version of the request
    public CompletableFuture<ConsumerGroupHeartbeatResponseData> heartbeat(ConsumerGroupHeartbeatRequestData request,
            int version, ClientIdentity client) {
        var refusal = HeartbeatChecks.refusal(request, version, settings.consumer());
        if (refusal.isPresent()) {
            return CompletableFuture.completedFuture(refusal.get());
        }
        if (!consumer.owns(request.groupId()) && !HeartbeatChecks.isJoin(request)) {
            return CompletableFuture.completedFuture(new ConsumerGroupHeartbeatResponseData()
                    .setErrorCode(Errors.GROUP_ID_NOT_FOUND.code())
                    .setErrorMessage("Group " + request.groupId() + " is not a consumer group."));
        }
        var answer = consumer.ask(request.groupId(), ConsumerGroupHeartbeatResponseData.class,
                ticket -> new ConsumerEvent.Heartbeat(ticket, request, client, runtime.freshId()));
        if (HeartbeatChecks.isJoin(request)) {
            joins(request.groupId(), client);
        }
        return answer;
    }

    /// @param request with names of topics that exist
    public CompletableFuture<OffsetCommitResponseData> commit(OffsetCommitRequestData request) {
        return offsets.commit(request);
    }

    /// To be taken before the coordinator of a transaction is asked whether its partition here is a part of it.
    public RecentEnds.Leave leave() {
        loop.assertInLoop();
        return transactional.leave();
    }

    /// A commit that becomes real with the end of the transaction. Refused with COORDINATOR_LOAD_IN_PROGRESS, after which
    /// clients ask again, where an end of that producer's transaction has come since the leave was taken, or from a later
    /// coordinator than the one that admitted the commit.
    ///
    /// @param request with names of topics that exist
    public CompletableFuture<OffsetCommitResponseData> commitInTransaction(OffsetCommitRequestData request,
            long producerId, short epoch, Admission admission) {
        return offsets.admit(request, true)
                .orElseGet(() -> transactional.commit(request, producerId, epoch, admission));
    }

    /// The transaction of that producer ended, with whatever it committed here. Completes with `NONE` once that is stored.
    ///
    /// @param coordinatorEpoch of the shard that decided it
    /// @param stamp of the request that brings it
    public CompletableFuture<Errors> endTransaction(long producerId, short epoch, boolean commit,
            int coordinatorEpoch, Optional<MarkerStamp> stamp) {
        return transactional.end(new Origin.Marker(producerId, epoch, commit, coordinatorEpoch), stamp);
    }

    /// @param request with names of topics
    /// @param stable whether offsets that a transaction may yet change are refused
    public CompletableFuture<OffsetFetchResponseGroup> fetch(OffsetFetchRequestGroup request, boolean stable) {
        return offsets.fetch(request).thenApply(answer -> stable ? transactional.withoutUnstable(answer) : answer);
    }

    /// All offsets of a group as they are known here, for figures: a newer owner may know better.
    public OffsetFetchResponseGroup known(String groupId) {
        return offsets.known(groupId);
    }

    /// @param partitionExists whether a topic has that partition
    public CompletableFuture<OffsetDeleteResponseData> deleteOffsets(OffsetDeleteRequestData request,
            BiPredicate<String, Integer> partitionExists) {
        return offsets.delete(request, partitionExists);
    }

    /// All groups of this shard.
    public List<ListedGroup> list() {
        return directory.list();
    }

    /// The same, each with the milliseconds since 1970 at which it was last heard of as a text that Kafka's schema has no
    /// room for.
    public List<ListedGroup> listWithSigns() {
        return directory.listWithSigns();
    }

    /// A consumer group; one of another kind is not found.
    public ConsumerGroupDescribeResponseData.DescribedGroup describeConsumer(String groupId) {
        return directory.describeConsumer(groupId);
    }

    /// A group that is not known, or is no classic one, is `Dead`.
    public DescribedGroup describe(String groupId) {
        return directory.describe(groupId);
    }

    /// Deletes an empty group with its offsets; completes with `NONE` or Kafka's refusal.
    public CompletableFuture<Errors> delete(String groupId) {
        return directory.delete(groupId);
    }

    @Override
    public void topicsDeleted(Set<String> topics) {
        offsets.topicsDeleted(topics);
    }

    private void scheduleExpiry() {
        nextExpiry = loop.schedule(settings.retentionCheck(), () -> {
            offsets.expire();
            scheduleExpiry();
        });
    }
}
