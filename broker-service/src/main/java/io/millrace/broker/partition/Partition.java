package io.millrace.broker.partition;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

import io.millrace.broker.partition.BrokerTopicMetrics.TopicMeters;
import io.millrace.broker.partition.HeldRole.Changed;
import io.millrace.broker.partition.LeaderState.Moved;
import io.millrace.broker.partition.ReadFrom.Source;
import io.millrace.broker.partition.ReplicaFacts.FollowerFacts;
import io.millrace.broker.partition.ReplicaRole.Follower;
import io.millrace.broker.partition.ReplicaRole.Leader;
import io.millrace.log.AppendResult;
import io.millrace.log.PartitionId;
import io.millrace.log.PartitionLog;
import io.millrace.log.batch.LogRefused;
import io.millrace.log.epoch.EpochEndOffset;
import io.millrace.log.producer.TransactionLeave;
import io.millrace.metadata.command.AlterPartition.Outcome;
import io.millrace.metadata.image.PartitionImage;
import io.millrace.wire.api.ShardEpoch;
import io.millrace.wire.error.Refused;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/// One partition on this broker: what clients, followers, the leader and the controller ask of it. Its role is a
/// [HeldRole]; what a leader knows is a [LeaderState], what a follower does to its log a [FollowerLog].
///
/// Any thread may call; what it refuses is a [Refused] with Kafka's code.
public final class Partition {
    /// A client that does not say which leader epoch it believes in.
    public static final int ANY_EPOCH = -1;
    /// A reader that does not say which leader epoch wrote the last record it has.
    public static final int NO_LAST_EPOCH = -1;

    private final PartitionId id;
    private final UUID topicId;
    private final TopicMeters meters;
    private final @Nullable PartitionLog log;
    private final LeaderContext context;
    private final HeldRole held;
    private final Progress visible = new Progress();
    private final Progress stable = new Progress();
    private final HiddenBytes hidden;
    private final Progress logEnd = new Progress();
    /// What the leader told last, while this broker follows it.
    private volatile long leadersHighWatermark;
    /// Guarded by the role's lock.
    private ShardEpoch shardEpoch = ShardEpoch.NONE;

    /// A change of a follower's log.
    @FunctionalInterface
    private interface Following<R> {
        R change(FollowerLog log) throws IOException;
    }

    /// @param log null where it could not be opened: the partition is offline then
    Partition(PartitionId id, UUID topicId, TopicMeters meters, @Nullable PartitionLog log, LeaderContext context) {
        this.id = id;
        this.topicId = topicId;
        this.meters = meters;
        this.log = log;
        this.context = context;
        this.held = new HeldRole(id, log, context);
        this.hidden = new HiddenBytes(log == null ? 0 : log.lastStableOffset());
        if (log != null) {
            log.onCommit(this::committed);
        }
    }

    public PartitionId id() {
        return id;
    }

    public UUID topicId() {
        return topicId;
    }

    public ReplicaRole role() {
        return held.now();
    }

    /// For those who wait for more within `limit`: replicas are told when the log end moves, consumers when the high
    /// watermark or the last stable offset does.
    public Progress progress(ReadLimit limit) {
        return switch (limit) {
            case LOG_END -> logEnd;
            case HIGH_WATERMARK -> visible;
            case LAST_STABLE -> stable;
        };
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
        return role() instanceof Leader;
    }

    /// Whether this broker leads it with fewer in-sync replicas than there are replicas.
    public boolean underReplicated() {
        return role() instanceof Leader leader && leader.isr().size() < held.durability().settled();
    }

    /// Whether this broker leads it while a reassignment moves it.
    public boolean reassigning() {
        return leads() && held.isMoving();
    }

    /// Whether a reassignment brings that broker in.
    public boolean isComing(int broker) {
        return held.isComing(broker);
    }

    /// Whether a reassignment brings this broker in.
    public boolean isComing() {
        return held.isComing();
    }

    /// Whether this broker leads it with fewer in-sync replicas than the topic asks for.
    public boolean underMinIsr() {
        return role() instanceof Leader leader && !held.durability().enough(leader.isr().size());
    }

    /// Whether this broker leads it with just as many in-sync replicas as the topic asks for.
    public boolean atMinIsr() {
        return role() instanceof Leader leader && leader.isr().size() == held.durability().needed();
    }

    /// How many offsets transactions hold back from readers of committed records; NaN where this broker does not lead it.
    double lastStableOffsetLag() {
        return leads() && log != null ? Math.max(0, log.highWatermark() - log.lastStableOffset()) : Double.NaN;
    }

    /// Whether this broker leads it and a transaction there has been open for longer than `atMost`, by its last batch's time.
    boolean hasLateTransaction(long now, Duration atMost) {
        return leads() && log != null && log.highWatermark() > log.lastStableOffset() && log.activeProducers().stream()
                .anyMatch(producer -> producer.currentTransactionStartOffset() >= 0 && now - producer
                        .lastTimestamp() > atMost.toMillis());
    }

    /// Where its replicas are.
    ///
    /// @throws Refused where this broker does not lead it
    public ReplicaFacts replicas() {
        return held.reign(ANY_EPOCH).facts();
    }

    /// How far a follower is, as the leader knows; NaN where this broker does not lead, or does not know.
    double logEndOffsetOf(int follower) {
        var reign = held.reign();
        long end = reign == null ? FollowerProgress.UNKNOWN : reign.logEndOffsetOf(follower);
        return end == FollowerProgress.UNKNOWN ? Double.NaN : end;
    }

    /// Its log, where this broker leads it.
    ///
    /// @param clientEpoch the leader epoch that the client believes in, or [#ANY_EPOCH]
    public PartitionLog leaderLog(int clientEpoch) {
        var usable = held.usableLog(clientEpoch);
        if (role() instanceof Follower) {
            throw held.notLeader();
        }
        return usable;
    }

    /// To be taken before the coordinator is asked whether a producer's transaction has this partition; see
    /// [PartitionLog#leave].
    ///
    /// @throws Refused where this broker does not lead it
    public @Nullable TransactionLeave leave(long producerId, short producerEpoch, int sequence) {
        return leaderLog(ANY_EPOCH).leave(producerId, producerEpoch, sequence);
    }

    /// Appends a batch as the leader, on the caller's thread.
    ///
    /// @param records one batch; changed in place, not kept
    /// @param wait of a producer that waits, for this disk or for all in-sync replicas, of which there must then be enough:
    ///        it has [AckWait#joined] those who wait or not when this returns; null for a producer that does not wait
    /// @throws LogRefused what the log refuses
    public AppendResult append(ByteBuffer records, @Nullable AckWait wait, Writer writer) {
        int bytes = records.remaining();
        AppendResult result;
        LeaderState reign;
        Moved moved;
        held.lock().lock();
        try {
            var leaderLog = leaderLog(ANY_EPOCH);
            reign = held.reign(ANY_EPOCH);
            if (wait != null && wait.forReplicas()) {
                refuseTooFewReplicas();
            }
            writer.shardEpoch().ifPresent(this::fence);
            result = leaderLog.append(records, role().leaderEpoch(), writer.origin(), writer.terms());
            moved = reign.appended(leaderLog.logEndOffset(), result.duplicate() ? 0 : bytes);
            if (wait != null) {
                reign.acks().add(wait, result.lastOffset());
            }
        } catch (IOException failure) {
            throw storageFailed(failure);
        } finally {
            held.lock().unlock();
        }
        if (!result.duplicate()) {
            logEnd.advanced(bytes);
            meters.appended(bytes, result.lastOffset() - result.baseOffset() + 1);
        }
        tell(reign, moved);
        return result;
    }

    /// A follower fetches: notes how far it is, which may be what others wait for. Reads nothing.
    ///
    /// @return where the follower's history parts from this one, which it has to go back to, and then it has not fetched;
    ///         null where it does not
    /// @throws LogRefused OFFSET_OUT_OF_RANGE
    /// @throws Refused where this broker does not lead it in that epoch, or that replica is none
    public @Nullable EpochEndOffset fetched(FollowerFetch fetch) {
        var leaderLog = leaderLog(fetch.leaderEpoch());
        var reign = held.reign(fetch.leaderEpoch());
        var diverging = Reading.divergence(leaderLog, fetch.offset(), fetch.lastEpoch());
        if (diverging == null) {
            Reading.refuseOutOfRange(leaderLog, fetch.offset());
            tell(reign, reign.fetched(fetch));
        }
        return diverging;
    }

    /// The log that a reader may read.
    ///
    /// @throws Refused where this broker may not serve it
    public PartitionLog log(ReadFrom from) {
        if (from.source() == Source.LEADER) {
            return leaderLog(from.leaderEpoch());
        }
        var usable = held.usableLog(from.leaderEpoch());
        // It may be on its way out of here.
        if (role() instanceof Follower follower && follower.leader() == PartitionImage.NO_LEADER) {
            throw held.notLeader();
        }
        return usable;
    }

    /// Reads, on the caller's thread, without waiting.
    ///
    /// @throws LogRefused OFFSET_OUT_OF_RANGE
    public PartitionRead read(ReadFrom from, int maxBytes, boolean atLeastOneBatch, ReadLimit limit) {
        var readLog = log(from);
        try {
            // What the leader has shown already is on its way here.
            boolean coming = role() instanceof Follower && from.offset() <= leadersHighWatermark;
            return Reading.read(readLog, from, maxBytes, atLeastOneBatch, limit, coming);
        } catch (IOException failure) {
            throw storageFailed(failure);
        }
    }

    /// Reads nothing: tells only how far there is to read.
    public PartitionRead look(ReadFrom from) {
        return Reading.nothing(log(from));
    }

    /// In-sync followers that can serve a reader of `offset`; empty where this broker does not lead the partition.
    public List<FollowerFacts> followersWith(long offset) {
        var reign = held.reign();
        return reign == null ? List.of() : reign.followersWith(offset);
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
        var appended = follow(leaderEpoch, followed -> {
            leadersHighWatermark = leaderHighWatermark;
            return followed.append(batches, leaderHighWatermark, leaderLogStart);
        });
        if (appended.raised()) {
            replicated(Math.max(1, bytes));
        }
        if (bytes > 0) {
            logEnd.advanced(bytes);
        }
        return appended.result();
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
        follow(leaderEpoch, followed -> followed.restartAt(leaderLogStart));
        changed();
    }

    /// Whether what is appended is acknowledged only once it is on this disk.
    public boolean commitsInGroups() {
        return log != null && log.commitsInGroups();
    }

    /// The disk has more of the log than before; it may be what others wait for. With no lock held.
    private void committed() {
        var reign = held.reign();
        if (reign != null) {
            reign.acks().disk().release(null);
            tell(reign, reign.reconsider());
        }
    }

    /// Looks for followers that fell behind or may join, and for proposals that are to be repeated.
    public void checkIsr() {
        var reign = held.reign();
        if (reign != null) {
            tell(reign, reign.check());
        }
    }

    /// The metadata know more of its followers: some may join, some need not be waited for.
    void reconsiderIsr() {
        var reign = held.reign();
        if (reign != null && underReplicated()) {
            tell(reign, reign.reconsider());
        }
    }

    /// What its leader asks the controller now; null where it does not (any more).
    ///
    /// @param selfEpoch of this broker's registration
    public @Nullable IsrProposal proposal(long selfEpoch) {
        var reign = held.reign();
        return reign == null ? null : reign.proposal(this, selfEpoch);
    }

    /// What the controller answered.
    ///
    /// @return after which time to call [#checkIsr]; null where there is no need to
    public @Nullable Duration answered(IsrProposal proposal, Outcome outcome) {
        var error = Errors.forCode(outcome.errorCode());
        if (error == Errors.NONE) {
            changed(held.committed(new Leader(outcome.leaderEpoch(), outcome.partitionEpoch(), outcome.isr())));
            return null;
        }
        var reign = held.reign();
        return reign == null ? null : reign.refused(proposal, error);
    }

    /// The controller did not answer; the proposal will be asked for again.
    public void unanswered(IsrProposal proposal) {
        var reign = held.reign();
        if (reign != null) {
            reign.unanswered(proposal);
        }
    }

    /// Takes in what the metadata say of it. On the registry's thread.
    ///
    /// @return whether its role changed
    boolean apply(PartitionImage told, int minInsyncReplicas) {
        return changed(held.told(told, minInsyncReplicas));
    }

    /// Appends of older epochs of the shard are refused from now on.
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

    /// Its log directory failed.
    void fail() {
        changed(held.failed());
    }

    /// It is no longer here.
    void retire() {
        changed(held.retired());
    }

    private <R> R follow(int leaderEpoch, Following<R> change) {
        held.lock().lock();
        try {
            var usable = held.usableLog(ANY_EPOCH);
            var now = role();
            if (!(now instanceof Follower) || now.leaderEpoch() != leaderEpoch) {
                throw new Refused(Errors.FENCED_LEADER_EPOCH, "partition=%s leaderEpoch=%d is followed no longer: %s"
                        .formatted(id, leaderEpoch, now));
            }
            return change.change(new FollowerLog(usable));
        } catch (IOException failure) {
            throw storageFailed(failure);
        } finally {
            held.lock().unlock();
        }
    }

    private void refuseTooFewReplicas() {
        if (underMinIsr()) {
            throw new Refused(Errors.NOT_ENOUGH_REPLICAS, "partition=%s min.insync.replicas=%d %s".formatted(id, held
                    .durability().minInsyncReplicas(), role()));
        }
    }

    private void fence(ShardEpoch epoch) {
        if (epoch.compareTo(shardEpoch) < 0) {
            throw new Refused(Errors.FENCED_LEADER_EPOCH, "partition=%s %s here, %s appends".formatted(id, shardEpoch,
                    epoch));
        }
        shardEpoch = epoch;
    }

    /// Tells whoever waits for it what the leader's state came to. With no lock held.
    private void tell(LeaderState reign, Moved moved) {
        if (moved.raised()) {
            reign.acks().replicas().release(held.durability().enough(reign.mostInSync())
                    ? null
                    : new Refused(Errors.NOT_ENOUGH_REPLICAS_AFTER_APPEND, "partition=%s %s".formatted(id, role())));
            replicated(moved.bytes());
        }
        if (moved.proposes()) {
            context.proposals().accept(this);
        }
    }

    /// The high watermark has passed about so many bytes.
    private void replicated(long bytes) {
        visible.advanced(bytes);
        if (log != null) {
            // In this order: a last stable offset that moves meanwhile is told of with the next high watermark.
            long highWatermark = log.highWatermark();
            long shown = hidden.shown(Math.min(log.lastStableOffset(), highWatermark), highWatermark, bytes);
            if (shown > 0) {
                stable.advanced(shown);
            }
        }
    }

    private boolean changed(Changed change) {
        if (change.differs()) {
            leadersHighWatermark = 0;
            context.roles().changed(change.before(), change.after());
        }
        var reign = change.reign();
        var moved = change.moved();
        if (reign != null && moved != null) {
            tell(reign, moved);
        }
        if (change.differs()) {
            changed();
        }
        return change.differs();
    }

    /// What was read before no longer holds.
    private void changed() {
        if (log != null) {
            hidden.reset(log.lastStableOffset());
        }
        visible.changed();
        stable.changed();
        logEnd.changed();
    }

    /// The log itself has reported `failure` to whoever watches its directory.
    private Refused storageFailed(IOException failure) {
        return new Refused(Errors.KAFKA_STORAGE_ERROR, "partition=%s %s".formatted(id, failure.getClass()
                .getSimpleName()));
    }
}
