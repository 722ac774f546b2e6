package io.millrace.broker.partition;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

import io.millrace.broker.partition.BrokerTopicMetrics.TopicMeters;
import io.millrace.broker.partition.LeaderState.Moved;
import io.millrace.broker.partition.ReplicaFacts.FollowerFacts;
import io.millrace.broker.partition.ReplicaRole.Follower;
import io.millrace.log.AppendResult;
import io.millrace.log.CheckedBatches;
import io.millrace.log.PartitionLog;
import io.millrace.log.batch.LogRefused;
import io.millrace.log.epoch.EpochEndOffset;
import io.millrace.log.producer.TransactionLeave;
import io.millrace.wire.api.ShardEpoch;
import io.millrace.wire.error.Refused;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/// What the leader of a partition does for producers and followers. Any thread may call; where this broker does not lead it,
/// all of it is refused.
public final class LeaderSide {
    private final HeldRole held;
    private final TopicMeters meters;
    private final Announcements announcements;
    /// Guarded by the role's lock.
    private ShardEpoch shardEpoch = ShardEpoch.NONE;

    @FunctionalInterface
    private interface Appending {
        AppendResult to(PartitionLog log, int leaderEpoch) throws IOException;
    }

    LeaderSide(HeldRole held, TopicMeters meters, Announcements announcements) {
        this.held = held;
        this.meters = meters;
        this.announcements = announcements;
    }

    /// The log.
    ///
    /// @param clientEpoch the leader epoch that the client believes in, or [Partition#ANY_EPOCH]
    public PartitionLog log(int clientEpoch) {
        var usable = held.usableLog(clientEpoch);
        if (held.now() instanceof Follower) {
            throw held.notLeader();
        }
        return usable;
    }

    /// To be taken before the coordinator is asked whether a producer's transaction has this partition; see
    /// [PartitionLog#leave].
    public @Nullable TransactionLeave leave(long producerId, short producerEpoch, int sequence) {
        return log(Partition.ANY_EPOCH).leave(producerId, producerEpoch, sequence);
    }

    /// Where the coordinator refused the producer or its epoch; see [PartitionLog#withdraw].
    public void withdraw(long producerId, TransactionLeave leave) {
        log(Partition.ANY_EPOCH).withdraw(producerId, leave);
    }

    /// Appends a batch, on the caller's thread.
    ///
    /// @param records one batch; changed in place, not kept
    /// @param wait of a producer that waits, for this disk or for all in-sync replicas, of which there must then be enough:
    ///        it has [AckWait#joined] those who wait or not when this returns; null for a producer that does not wait
    /// @throws LogRefused what the log refuses
    public AppendResult append(ByteBuffer records, @Nullable AckWait wait, Writer writer) {
        return append(records.remaining(), (log, epoch) -> log.append(records, epoch, writer.origin(), writer.terms()),
                wait, writer);
    }

    /// The same for a batch that its log has checked.
    public AppendResult append(CheckedBatches checked, @Nullable AckWait wait, Writer writer) {
        return append(checked.bytes().remaining(), (log, epoch) -> log.append(checked, epoch, writer.terms()), wait,
                writer);
    }

    private AppendResult append(int bytes, Appending appending, @Nullable AckWait wait, Writer writer) {
        AppendResult result;
        LeaderState reign;
        Moved moved;
        held.lock().lock();
        try {
            var leaderLog = log(Partition.ANY_EPOCH);
            reign = held.reign(Partition.ANY_EPOCH);
            if (wait != null && wait.forReplicas()) {
                refuseTooFewReplicas();
            }
            writer.shardEpoch().ifPresent(this::fence);
            result = appending.to(leaderLog, held.now().leaderEpoch());
            moved = reign.appended(leaderLog.logEndOffset(), result.duplicate() ? 0 : bytes);
            if (wait != null) {
                reign.acks().add(wait, result.lastOffset());
            }
        } catch (IOException failure) {
            throw held.storageFailed(failure);
        } finally {
            held.lock().unlock();
        }
        if (!result.duplicate()) {
            announcements.appended(bytes);
            meters.appended(bytes, result.lastOffset() - result.baseOffset() + 1);
        }
        announcements.moved(reign, moved);
        return result;
    }

    private void refuseTooFewReplicas() {
        if (held.underMinIsr()) {
            throw new Refused(Errors.NOT_ENOUGH_REPLICAS, "partition=%s min.insync.replicas=%d %s".formatted(held.id(),
                    held.durability().minInsyncReplicas(), held.now()));
        }
    }

    private void fence(ShardEpoch epoch) {
        if (epoch.compareTo(shardEpoch) < 0) {
            throw new Refused(Errors.FENCED_LEADER_EPOCH, "partition=%s %s here, %s appends".formatted(held.id(),
                    shardEpoch, epoch));
        }
        shardEpoch = epoch;
    }

    /// Appends of older epochs of the shard are refused from now on, also while another broker leads.
    void fenceShard(int epoch) {
        held.lock().lock();
        try {
            if (epoch > shardEpoch.epoch()) {
                shardEpoch = new ShardEpoch(epoch, 0);
            }
        } finally {
            held.lock().unlock();
        }
    }

    /// A follower fetches: notes how far it is, which may be what others wait for. Reads nothing.
    ///
    /// @return where the follower's history parts from this one, which it has to go back to, and then it has not fetched;
    ///         null where it does not
    /// @throws LogRefused OFFSET_OUT_OF_RANGE
    /// @throws Refused also where that replica is none
    public @Nullable EpochEndOffset fetched(FollowerFetch fetch) {
        var leaderLog = log(fetch.leaderEpoch());
        var reign = held.reign(fetch.leaderEpoch());
        var diverging = Reading.divergence(leaderLog, fetch.offset(), fetch.lastEpoch());
        if (diverging == null) {
            Reading.refuseOutOfRange(leaderLog, fetch.offset());
            announcements.moved(reign, reign.fetched(fetch));
        }
        return diverging;
    }

    /// Makes `offset` the first that can be read. Blocks on the disk.
    ///
    /// @param offset -1 for the high watermark
    /// @return the first offset that can be read now
    public long deleteRecordsBefore(long offset) {
        var leaderLog = log(Partition.ANY_EPOCH);
        if (!leaderLog.config().retention().delete()) {
            throw new Refused(Errors.POLICY_VIOLATION, "partition=" + held.id() + " cleanup.policy has no delete");
        }
        long before = offset == -1 ? leaderLog.highWatermark() : offset;
        if (before < 0) {
            throw new Refused(Errors.OFFSET_OUT_OF_RANGE, "partition=" + held.id() + " offset=" + offset);
        }
        try {
            leaderLog.deleteRecordsBefore(before);
        } catch (IOException failure) {
            throw held.storageFailed(failure);
        }
        announcements.changed();
        return leaderLog.logStartOffset();
    }

    /// Where its replicas are.
    public ReplicaFacts replicas() {
        return held.reign(Partition.ANY_EPOCH).facts();
    }

    /// In-sync followers that can serve a reader of `offset`; empty where this broker does not lead the partition.
    public List<FollowerFacts> followersWith(long offset) {
        var reign = held.reign();
        return reign == null ? List.of() : reign.followersWith(offset);
    }

    /// The disk has more of the log than before; it may be what others wait for. With no lock held.
    void committed() {
        var reign = held.reign();
        if (reign != null) {
            reign.acks().disk().release(null);
            announcements.moved(reign, reign.reconsider());
        }
    }
}
