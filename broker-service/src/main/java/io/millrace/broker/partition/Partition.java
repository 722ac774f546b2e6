package io.millrace.broker.partition;

import java.io.IOException;
import java.time.Duration;
import java.util.UUID;

import io.millrace.broker.partition.BrokerTopicMetrics.TopicMeters;
import io.millrace.broker.partition.HeldRole.Changed;
import io.millrace.broker.partition.ReadFrom.Source;
import io.millrace.broker.partition.ReplicaRole.Follower;
import io.millrace.broker.partition.ReplicaRole.Leader;
import io.millrace.log.PartitionId;
import io.millrace.log.PartitionLog;
import io.millrace.log.batch.LogRefused;
import io.millrace.metadata.image.PartitionImage;
import io.millrace.wire.error.Refused;
import org.jspecify.annotations.Nullable;

/// One partition on this broker: what it is, and how it is read. What it does as a leader is its [LeaderSide], with the
/// [IsrUpkeep]; what it does as a follower its [FollowerSide]. Its role is a [HeldRole].
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
    private final HeldRole held;
    private final Announcements announcements;
    private final LeaderSide leader;
    private final FollowerSide follower;
    private final IsrUpkeep isr;

    /// @param log null where it could not be opened: the partition is offline then
    Partition(PartitionId id, UUID topicId, TopicMeters meters, @Nullable PartitionLog log, LeaderContext context) {
        this.id = id;
        this.topicId = topicId;
        this.meters = meters;
        this.held = new HeldRole(id, log, context);
        this.announcements = new Announcements(held, context, () -> context.proposals().accept(this));
        this.leader = new LeaderSide(held, meters, announcements);
        this.follower = new FollowerSide(held, announcements);
        this.isr = new IsrUpkeep(this, held, announcements);
        if (log != null) {
            log.onCommit(leader::committed);
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
        return announcements.progress(limit);
    }

    /// Counters of its topic.
    public TopicMeters meters() {
        return meters;
    }

    /// Its log, whatever its role; null where it could not be opened.
    public @Nullable PartitionLog log() {
        return held.log();
    }

    /// What it does while this broker leads it.
    public LeaderSide asLeader() {
        return leader;
    }

    /// What it does while this broker follows another one.
    public FollowerSide asFollower() {
        return follower;
    }

    /// How its ISR is kept right, while this broker leads it.
    public IsrUpkeep isr() {
        return isr;
    }

    /// Whether this broker leads it.
    public boolean leads() {
        return role() instanceof Leader;
    }

    /// Whether this broker leads it with fewer in-sync replicas than there are replicas.
    public boolean underReplicated() {
        return held.underReplicated();
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
        return held.underMinIsr();
    }

    /// Whether this broker leads it with just as many in-sync replicas as the topic asks for.
    public boolean atMinIsr() {
        return held.atMinIsr();
    }

    /// How many offsets transactions hold back from readers of committed records; NaN where this broker does not lead it.
    double lastStableOffsetLag() {
        var log = log();
        return leads() && log != null ? Math.max(0, log.highWatermark() - log.lastStableOffset()) : Double.NaN;
    }

    /// Whether this broker leads it and a transaction there has been open for longer than `atMost`, by its last batch's time.
    boolean hasLateTransaction(long now, Duration atMost) {
        var log = log();
        return leads() && log != null && log.highWatermark() > log.lastStableOffset() && log.activeProducers().stream()
                .anyMatch(producer -> producer.currentTransactionStartOffset() >= 0 && now - producer
                        .lastTimestamp() > atMost.toMillis());
    }

    /// How far a follower is, as the leader knows; NaN where this broker does not lead, or does not know.
    double logEndOffsetOf(int replica) {
        var reign = held.reign();
        long end = reign == null ? FollowerProgress.UNKNOWN : reign.logEndOffsetOf(replica);
        return end == FollowerProgress.UNKNOWN ? Double.NaN : end;
    }

    /// The log that a reader may read.
    ///
    /// @throws Refused where this broker may not serve it
    public PartitionLog log(ReadFrom from) {
        if (from.source() == Source.LEADER) {
            return leader.log(from.leaderEpoch());
        }
        var usable = held.usableLog(from.leaderEpoch());
        // It may be on its way out of here.
        if (role() instanceof Follower now && now.leader() == PartitionImage.NO_LEADER) {
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
            return Reading.read(readLog, from, maxBytes, atLeastOneBatch, limit, follower.awaits(from.offset()));
        } catch (IOException failure) {
            throw held.storageFailed(failure);
        }
    }

    /// Reads nothing: tells only how far there is to read.
    public PartitionRead look(ReadFrom from) {
        return Reading.nothing(log(from));
    }

    /// Whether what is appended is acknowledged only once it is on this disk.
    public boolean commitsInGroups() {
        var log = log();
        return log != null && log.commitsInGroups();
    }

    /// Takes in what the metadata say of it. On the registry's thread.
    ///
    /// @return whether its role changed
    boolean apply(PartitionImage told, int minInsyncReplicas) {
        return changed(held.told(told, minInsyncReplicas));
    }

    /// Its log directory failed.
    void fail() {
        changed(held.failed());
    }

    /// It is no longer here.
    void retire() {
        changed(held.retired());
    }

    private boolean changed(Changed change) {
        if (change.differs()) {
            follower.begin();
        }
        announcements.changed(change);
        return change.differs();
    }
}
