package io.millrace.broker.partition;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;

import io.millrace.broker.partition.BrokerTopicMetrics.TopicMeters;
import io.millrace.broker.partition.ReplicaRole.Follower;
import io.millrace.broker.partition.ReplicaRole.Leader;
import io.millrace.broker.partition.ReplicaRole.Offline;
import io.millrace.log.AppendResult;
import io.millrace.log.PartitionId;
import io.millrace.log.PartitionLog;
import io.millrace.log.batch.AppendOrigin;
import io.millrace.log.batch.LogRefused;
import io.millrace.log.epoch.EpochEndOffset;
import io.millrace.metadata.image.PartitionImage;
import io.millrace.wire.error.Refused;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/// One partition on this broker. Any thread may call; what it refuses is a [Refused] with Kafka's code.
public final class Partition {
    /// A client that does not say which leader epoch it believes in.
    public static final int ANY_EPOCH = -1;
    /// A reader that does not say which leader epoch wrote the last record it has.
    public static final int NO_LAST_EPOCH = -1;

    private final PartitionId id;
    private final UUID topicId;
    private final TopicMeters meters;
    private final @Nullable PartitionLog log;
    private final Progress visible = new Progress();
    private final Progress logEnd = new Progress();
    /// Keeps the role, the shard's epoch and the order of high watermarks as they are while a batch is appended, so that a
    /// deposed leader or shard owner appends nothing after it was deposed.
    private final ReentrantLock lock = new ReentrantLock();
    private volatile ReplicaRole role = ReplicaRole.untold();
    private volatile Durability durability = new Durability(1, 1);
    private @Nullable LeaderState leading;
    private int shardEpoch = -1;

    /// A change of a follower's log.
    @FunctionalInterface
    private interface Following<R> {
        R change(FollowerLog log) throws IOException;
    }

    /// @param log null where it could not be opened: the partition is offline then
    Partition(PartitionId id, UUID topicId, TopicMeters meters, @Nullable PartitionLog log) {
        this.id = id;
        this.topicId = topicId;
        this.meters = meters;
        this.log = log;
        if (log == null) {
            role = ReplicaRole.failed(role);
        }
    }

    public PartitionId id() {
        return id;
    }

    public UUID topicId() {
        return topicId;
    }

    public ReplicaRole role() {
        return role;
    }

    /// For those who wait for more within `limit`: replicas are told when the log end moves, consumers when the high
    /// watermark does.
    public Progress progress(ReadLimit limit) {
        return limit == ReadLimit.LOG_END ? logEnd : visible;
    }

    /// Counters of its topic.
    public TopicMeters meters() {
        return meters;
    }

    /// Its log, whatever its role; null where it could not be opened.
    public @Nullable PartitionLog log() {
        return log;
    }

    /// Whether this broker leads it.
    public boolean leads() {
        return role instanceof Leader;
    }

    /// Whether this broker leads it with fewer in-sync replicas than there are replicas.
    public boolean underReplicated() {
        return role instanceof Leader leader && leader.isr().size() < durability.replicas();
    }

    /// Whether this broker leads it with fewer in-sync replicas than the topic asks for.
    public boolean underMinIsr() {
        return role instanceof Leader leader && !durability.enough(leader.isr().size());
    }

    /// Whether this broker leads it with just as many in-sync replicas as the topic asks for.
    public boolean atMinIsr() {
        return role instanceof Leader leader && leader.isr().size() == durability.needed();
    }

    /// Its log, where this broker leads it.
    ///
    /// @param clientEpoch the leader epoch that the client believes in, or [#ANY_EPOCH]
    public PartitionLog leaderLog(int clientEpoch) {
        var now = role;
        if (now instanceof Offline || log == null) {
            throw new Refused(Errors.KAFKA_STORAGE_ERROR, "partition=" + id + " its log directory failed");
        }
        if (clientEpoch != ANY_EPOCH && clientEpoch != now.leaderEpoch()) {
            throw new Refused(clientEpoch < now.leaderEpoch()
                    ? Errors.FENCED_LEADER_EPOCH
                    : Errors.UNKNOWN_LEADER_EPOCH, "partition=%s leaderEpoch=%d here, %d asked for".formatted(id, now
                            .leaderEpoch(), clientEpoch));
        }
        if (now instanceof Follower follower) {
            throw new Refused(Errors.NOT_LEADER_OR_FOLLOWER, "partition=%s leader=%d leaderEpoch=%d".formatted(id,
                    follower.leader(), follower.leaderEpoch()));
        }
        return log;
    }

    /// Appends a batch as the leader, on the caller's thread.
    ///
    /// @param records one batch; changed in place, not kept
    /// @param allReplicas whether the producer waits for all in-sync replicas, of which there must then be enough
    /// @param writerShardEpoch of the coordinator's shard that writes; empty for producers
    /// @throws LogRefused what the log refuses
    public AppendResult append(ByteBuffer records, boolean allReplicas, OptionalInt writerShardEpoch) {
        int bytes = records.remaining();
        AppendResult result;
        boolean raised;
        lock.lock();
        try {
            var leaderLog = leaderLog(ANY_EPOCH);
            var leader = (Leader) role;
            if (allReplicas && !durability.enough(leader.isr().size())) {
                throw new Refused(Errors.NOT_ENOUGH_REPLICAS, "partition=%s isr=%s min.insync.replicas=%d".formatted(id,
                        leader.isr(), durability.minInsyncReplicas()));
            }
            writerShardEpoch.ifPresent(this::fence);
            var origin = writerShardEpoch.isPresent() ? AppendOrigin.COORDINATOR : AppendOrigin.CLIENT;
            result = leaderLog.append(records, leader.leaderEpoch(), origin);
            raised = raiseHighWatermark();
        } catch (IOException failure) {
            throw storageFailed(failure);
        } finally {
            lock.unlock();
        }
        if (raised) {
            visible.advanced(bytes);
        }
        if (!result.duplicate()) {
            logEnd.advanced(bytes);
            meters.appended(bytes, result.lastOffset() - result.baseOffset() + 1);
        }
        return result;
    }

    /// How far the replication of a batch has come.
    ///
    /// @param lastOffset of the batch
    /// @throws Refused where this broker no longer leads, or the ISR shrank below what the topic asks for
    public Replication replicated(long lastOffset) {
        var leaderLog = leaderLog(ANY_EPOCH);
        if (leaderLog.highWatermark() <= lastOffset) {
            return Replication.PENDING;
        }
        if (role instanceof Leader leader && !durability.enough(leader.isr().size())) {
            throw new Refused(Errors.NOT_ENOUGH_REPLICAS_AFTER_APPEND, "partition=%s isr=%s".formatted(id, leader
                    .isr()));
        }
        return Replication.DONE;
    }

    /// Reads from the leader, on the caller's thread, without waiting.
    ///
    /// @param lastFetchedEpoch of the last record that the reader has, or [#NO_LAST_EPOCH]
    /// @throws LogRefused OFFSET_OUT_OF_RANGE
    public PartitionRead read(long offset, int maxBytes, boolean atLeastOneBatch, ReadLimit limit, int clientEpoch,
            int lastFetchedEpoch) {
        var leaderLog = leaderLog(clientEpoch);
        // Before the records are looked for: what is answered then holds at least what these offsets promise.
        long highWatermark = leaderLog.highWatermark();
        long lastStable = leaderLog.lastStableOffset();
        if (lastFetchedEpoch != NO_LAST_EPOCH) {
            var end = leaderLog.endOffsetFor(lastFetchedEpoch);
            if (diverges(end, offset, lastFetchedEpoch)) {
                return new PartitionRead(highWatermark, lastStable, leaderLog.logStartOffset(), null, end);
            }
        }
        long bound = switch (limit) {
            case LOG_END -> leaderLog.logEndOffset();
            case HIGH_WATERMARK -> highWatermark;
            case LAST_STABLE -> lastStable;
        };
        try {
            var read = leaderLog.read(offset, maxBytes, atLeastOneBatch, bound);
            return new PartitionRead(highWatermark, lastStable, read.logStartOffset(), read.slice(), null);
        } catch (IOException failure) {
            throw storageFailed(failure);
        }
    }

    /// Makes `offset` the first that can be read. Blocks on the disk.
    ///
    /// @param offset -1 for the high watermark
    /// @return the first offset that can be read now
    public long deleteRecordsBefore(long offset) {
        var leaderLog = leaderLog(ANY_EPOCH);
        if (!leaderLog.config().retention().delete()) {
            throw new Refused(Errors.POLICY_VIOLATION, "partition=" + id + " cleanup.policy has no delete");
        }
        long before = offset == -1 ? leaderLog.highWatermark() : offset;
        if (before < 0) {
            throw new Refused(Errors.OFFSET_OUT_OF_RANGE, "partition=" + id + " offset=" + offset);
        }
        try {
            leaderLog.deleteRecordsBefore(before);
        } catch (IOException failure) {
            throw storageFailed(failure);
        }
        changed();
        return leaderLog.logStartOffset();
    }

    /// Appends what the leader sent, as a follower, and takes over its offsets; on the caller's thread.
    ///
    /// @param batches whole batches from the log end offset on; empty where only the offsets are news. Not kept
    /// @param leaderEpoch of the leader that sent it
    /// @throws Refused FENCED_LEADER_EPOCH where that leader is followed no longer, KAFKA_STORAGE_ERROR
    /// @throws LogRefused CORRUPT_MESSAGE, or OFFSET_OUT_OF_RANGE where they do not go on from the log end
    public AppendResult appendFromLeader(ByteBuffer batches, int leaderEpoch, long leaderHighWatermark,
            long leaderLogStart) {
        int bytes = batches.remaining();
        var before = new long[1];
        var result = follow(leaderEpoch, followed -> {
            before[0] = highWatermark();
            return followed.append(batches, leaderHighWatermark, leaderLogStart);
        });
        if (highWatermark() > before[0]) {
            visible.advanced(Math.max(1, bytes));
        }
        if (bytes > 0) {
            logEnd.advanced(bytes);
        }
        return result;
    }

    /// Cuts off, as a follower, what the leader does not have (KIP-101, KIP-279). The next fetch may find that more has to
    /// go. Blocks on the disk.
    ///
    /// @param leaders where the leader says that this replica's last epoch ends
    /// @param leaderEpoch of the leader that said so
    /// @return the log end offset then: where to fetch from
    /// @throws Refused FENCED_LEADER_EPOCH where that leader is followed no longer, KAFKA_STORAGE_ERROR
    public long truncateToDivergence(EpochEndOffset leaders, int leaderEpoch) {
        long end = follow(leaderEpoch, followed -> followed.truncateToDivergence(leaders));
        changed();
        return end;
    }

    /// Throws the log away, as a follower, and begins it anew where the leader's begins: all that is here was deleted
    /// there. Blocks on the disk.
    ///
    /// @throws Refused FENCED_LEADER_EPOCH where that leader is followed no longer, KAFKA_STORAGE_ERROR
    public void restartAt(long leaderLogStart, int leaderEpoch) {
        follow(leaderEpoch, followed -> {
            followed.restartAt(leaderLogStart);
            return leaderLogStart;
        });
        changed();
    }

    private <R> R follow(int leaderEpoch, Following<R> change) {
        lock.lock();
        try {
            var now = role;
            if (now instanceof Offline || log == null) {
                throw new Refused(Errors.KAFKA_STORAGE_ERROR, "partition=" + id + " its log directory failed");
            }
            if (!(now instanceof Follower) || now.leaderEpoch() != leaderEpoch) {
                throw new Refused(Errors.FENCED_LEADER_EPOCH, "partition=%s leaderEpoch=%d is followed no longer: %s"
                        .formatted(id, leaderEpoch, now));
            }
            return change.change(new FollowerLog(log));
        } catch (IOException failure) {
            throw storageFailed(failure);
        } finally {
            lock.unlock();
        }
    }

    private long highWatermark() {
        return log == null ? 0 : log.highWatermark();
    }

    /// Takes in what the metadata say of it. On the registry's thread.
    ///
    /// @return whether its role changed
    boolean apply(PartitionImage told, int minInsyncReplicas, int self) {
        ReplicaRole before;
        boolean advanced = false;
        lock.lock();
        try {
            before = role;
            durability = new Durability(Math.max(1, told.replicas().size()), minInsyncReplicas);
            role = ReplicaRole.next(before, told.leaderEpoch(), told.partitionEpoch(), told.leader(), told.isr(), self);
            leading = leading(before);
            advanced = raiseHighWatermark();
        } finally {
            lock.unlock();
        }
        boolean changed = !before.equals(role);
        if (changed || advanced) {
            changed();
        }
        return changed;
    }

    private @Nullable LeaderState leading(ReplicaRole before) {
        if (!(role instanceof Leader leader) || log == null) {
            return null;
        }
        if (leading == null || before.leaderEpoch() != leader.leaderEpoch()) {
            return LeaderState.begin(log, leader);
        }
        leading.committed(leader);
        return leading;
    }

    /// Appends of older epochs of the shard are refused from now on.
    void fenceShard(int epoch) {
        lock.lock();
        try {
            shardEpoch = Math.max(shardEpoch, epoch);
        } finally {
            lock.unlock();
        }
    }

    /// Its log directory failed.
    void fail() {
        lock.lock();
        try {
            role = ReplicaRole.failed(role);
            leading = null;
        } finally {
            lock.unlock();
        }
        changed();
    }

    /// It is no longer here: whoever still has it in hand finds no leader, whatever its last role was.
    void retire() {
        lock.lock();
        try {
            role = new Follower(role.leaderEpoch(), role.partitionEpoch(), PartitionImage.NO_LEADER);
            leading = null;
        } finally {
            lock.unlock();
        }
        changed();
    }

    private void fence(int epoch) {
        if (epoch < shardEpoch) {
            throw new Refused(Errors.FENCED_LEADER_EPOCH, "partition=%s shardEpoch=%d here, %d appends".formatted(id,
                    shardEpoch, epoch));
        }
        shardEpoch = epoch;
    }

    private boolean raiseHighWatermark() {
        return leading != null && leading.raiseHighWatermark();
    }

    /// What was read before no longer holds.
    private void changed() {
        visible.changed();
        logEnd.changed();
    }

    private static boolean diverges(EpochEndOffset end, long offset, int lastFetchedEpoch) {
        return end.epoch() >= 0 && (end.epoch() < lastFetchedEpoch || end.endOffset() < offset);
    }

    /// The log itself has reported `failure` to whoever watches its directory.
    private Refused storageFailed(IOException failure) {
        return new Refused(Errors.KAFKA_STORAGE_ERROR, "partition=%s %s".formatted(id, failure.getClass()
                .getSimpleName()));
    }
}
