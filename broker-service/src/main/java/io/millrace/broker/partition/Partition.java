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
    private final Progress progress = new Progress();
    /// Keeps the role, the shard's epoch and the order of high watermarks as they are while a batch is appended, so that a
    /// deposed leader or shard owner appends nothing after it was deposed.
    private final ReentrantLock lock = new ReentrantLock();
    private volatile ReplicaRole role = ReplicaRole.untold();
    private volatile Durability durability = new Durability(1, 1);
    private int shardEpoch = -1;

    /// @param replicas how many brokers are to hold it
    /// @param minInsyncReplicas of the topic
    private record Durability(int replicas, int minInsyncReplicas) {
        /// A topic cannot ask for more than it has replicas.
        int needed() {
            return Math.min(replicas, minInsyncReplicas);
        }

        boolean enough(int isr) {
            return isr >= needed();
        }
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

    /// For those who wait for more.
    public Progress progress() {
        return progress;
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
        boolean visible;
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
            visible = raiseHighWatermark(leader, leaderLog);
        } catch (IOException failure) {
            throw storageFailed(failure);
        } finally {
            lock.unlock();
        }
        if (visible) {
            progress.advanced(bytes);
        }
        if (!result.duplicate()) {
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
        progress.changed();
        return leaderLog.logStartOffset();
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
            if (role instanceof Leader leader && log != null) {
                advanced = raiseHighWatermark(leader, log);
            }
        } finally {
            lock.unlock();
        }
        boolean changed = !before.equals(role);
        if (changed || advanced) {
            progress.changed();
        }
        return changed;
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
        } finally {
            lock.unlock();
        }
        progress.changed();
    }

    /// It is no longer here: whoever still has it in hand finds no leader, whatever its last role was.
    void retire() {
        lock.lock();
        try {
            role = new Follower(role.leaderEpoch(), role.partitionEpoch(), PartitionImage.NO_LEADER);
        } finally {
            lock.unlock();
        }
        progress.changed();
    }

    private void fence(int epoch) {
        if (epoch < shardEpoch) {
            throw new Refused(Errors.FENCED_LEADER_EPOCH, "partition=%s shardEpoch=%d here, %d appends".formatted(id,
                    shardEpoch, epoch));
        }
        shardEpoch = epoch;
    }

    /// The high watermark is the least log end of the in-sync replicas; what followers have is not known here yet, so it
    /// moves only while there are none in sync.
    private static boolean raiseHighWatermark(Leader leader, PartitionLog log) {
        return leader.alone() && log.highWatermark() < log.updateHighWatermark(log.logEndOffset());
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
