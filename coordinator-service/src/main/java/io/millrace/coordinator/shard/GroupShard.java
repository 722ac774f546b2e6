package io.millrace.coordinator.shard;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiPredicate;

import io.millrace.base.loop.Loop;
import io.millrace.base.loop.Timeout;
import io.millrace.coordinator.group.ClientIdentity;
import io.millrace.coordinator.group.classic.ClassicMachine;
import io.millrace.coordinator.group.classic.GroupEvent;
import io.millrace.coordinator.record.EncodedRecord;
import io.millrace.coordinator.record.GroupRecord;
import io.millrace.coordinator.record.GroupRecord.GroupRemoved;
import io.millrace.coordinator.record.GroupRecordCodec;
import io.millrace.coordinator.storage.ShardBatch.Origin;
import io.millrace.coordinator.storage.Stored;
import io.millrace.coordinator.storage.StoredMarker;
import io.millrace.coordinator.storage.StoredRecord;
import io.millrace.metadata.image.ShardKind;
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
    private final OffsetStore offsets;
    private final TransactionalOffsets transactional;
    private final GroupDirectory directory;
    private Timeout nextExpiry = () -> {};

    private GroupShard(ShardSettings settings, ShardPlace place) {
        this.settings = settings;
        loop = place.loop();
        runtime = place.runtime();
        table = new GroupTable(runtime.metrics());
        appends = place.appends(GroupRecordCodec::encode);
        classic = new ClassicGroups(loop, runtime.clock(), new ClassicMachine(settings.limits()), table, appends,
                runtime.metrics());
        offsets = new OffsetStore(runtime.clock(), settings, table, appends, classic, runtime.metrics());
        transactional = new TransactionalOffsets(settings, runtime, table, appends);
        directory = new GroupDirectory(table, appends);
    }

    /// Shards of groups.
    public static ShardType<GroupShard> type(ShardSettings settings) {
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
                return new GroupShard(settings, place);
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
            case StoredMarker(_, var producerId, var commit) -> transactional.ended(producerId, commit);
        }
    }

    @Override
    public void start() {
        classic.loaded();
        scheduleExpiry();
    }

    @Override
    public void close() {
        nextExpiry.cancel();
        appends.close(Errors.NOT_COORDINATOR);
        classic.close();
        table.clear();
    }

    /// @param version of the request
    public CompletableFuture<JoinGroupResponseData> join(JoinGroupRequestData request, int version,
            ClientIdentity client) {
        return classic.ask(request.groupId(), JoinGroupResponseData.class,
                ticket -> new GroupEvent.Join(ticket, request, version, client, runtime.freshId()));
    }

    /// The answer waits for the leader's assignment.
    public CompletableFuture<SyncGroupResponseData> sync(SyncGroupRequestData request) {
        return classic.ask(request.groupId(), SyncGroupResponseData.class,
                ticket -> new GroupEvent.Sync(ticket, request));
    }

    /// A sign of life.
    public CompletableFuture<HeartbeatResponseData> heartbeat(HeartbeatRequestData request) {
        return classic.ask(request.groupId(), HeartbeatResponseData.class,
                ticket -> new GroupEvent.Heartbeat(ticket, request));
    }

    /// @param request in the form of version 3 and up
    public CompletableFuture<LeaveGroupResponseData> leave(LeaveGroupRequestData request) {
        return classic.ask(request.groupId(), LeaveGroupResponseData.class,
                ticket -> new GroupEvent.Leave(ticket, request));
    }

    /// @param request with names of topics that exist
    public CompletableFuture<OffsetCommitResponseData> commit(OffsetCommitRequestData request) {
        return offsets.commit(request);
    }

    /// A commit that becomes real with the end of the transaction.
    ///
    /// @param request with names of topics that exist
    public CompletableFuture<OffsetCommitResponseData> commitInTransaction(OffsetCommitRequestData request,
            long producerId, short epoch) {
        return offsets.admit(request, true).orElseGet(() -> transactional.commit(request, producerId, epoch));
    }

    /// The transaction of that producer ended, with whatever it committed here. Completes with `NONE` once that is stored.
    ///
    /// @param coordinatorEpoch of the shard that decided it
    public CompletableFuture<Errors> endTransaction(long producerId, short epoch, boolean commit,
            int coordinatorEpoch) {
        return transactional.end(new Origin.Marker(producerId, epoch, commit, coordinatorEpoch));
    }

    /// @param request with names of topics
    /// @param stable whether offsets that a transaction may yet change are refused
    public OffsetFetchResponseGroup fetch(OffsetFetchRequestGroup request, boolean stable) {
        var answer = offsets.fetch(request);
        return stable ? transactional.withoutUnstable(answer) : answer;
    }

    /// @param partitionExists whether a topic has that partition
    public CompletableFuture<OffsetDeleteResponseData> deleteOffsets(OffsetDeleteRequestData request,
            BiPredicate<String, Integer> partitionExists) {
        return offsets.delete(request, partitionExists);
    }

    /// @param states labels in lower case; empty for all
    public List<ListedGroup> list(Set<String> states) {
        return directory.list(states);
    }

    /// A group that is not known is `Dead`.
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
