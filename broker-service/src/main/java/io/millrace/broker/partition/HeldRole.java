package io.millrace.broker.partition;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

import io.millrace.broker.partition.LeaderState.Moved;
import io.millrace.broker.partition.ReplicaRole.Follower;
import io.millrace.broker.partition.ReplicaRole.Leader;
import io.millrace.broker.partition.ReplicaRole.Offline;
import io.millrace.log.PartitionId;
import io.millrace.log.PartitionLog;
import io.millrace.metadata.image.PartitionImage;
import io.millrace.wire.error.Refused;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/// The role of one partition on this broker and, while it leads, the state of its reign; both change together.
///
/// Any thread reads. Whoever changes them, or needs them to stay what they are, holds [#lock].
final class HeldRole {
    private final PartitionId id;
    private final @Nullable PartitionLog log;
    private final LeaderContext context;
    /// Held while a batch is appended, so that a deposed leader appends nothing after it was deposed, and batches wait in
    /// the order of their offsets; and while a follower's log is changed.
    private final ReentrantLock lock = new ReentrantLock();
    private volatile ReplicaRole role = ReplicaRole.untold();
    private volatile Durability durability = new Durability(1, 1, 1);
    private volatile Set<Integer> coming = Set.of();
    private volatile boolean moving;
    private List<Integer> replicas = List.of();
    private volatile @Nullable LeaderState leading;

    /// What a change came to.
    ///
    /// @param reign the leader's state after it; null where this broker does not lead
    /// @param moved what it led to there; null where this broker does not lead
    record Changed(ReplicaRole before, ReplicaRole after, @Nullable LeaderState reign, @Nullable Moved moved) {
        boolean differs() {
            return !before.equals(after);
        }
    }

    HeldRole(PartitionId id, @Nullable PartitionLog log, LeaderContext context) {
        this.id = id;
        this.log = log;
        this.context = context;
        if (log == null) {
            role = ReplicaRole.failed(role);
        }
    }

    PartitionId id() {
        return id;
    }

    /// Null where it could not be opened: the partition is offline then.
    @Nullable
    PartitionLog log() {
        return log;
    }

    ReentrantLock lock() {
        return lock;
    }

    ReplicaRole now() {
        return role;
    }

    Durability durability() {
        return durability;
    }

    /// Whether this broker leads with fewer in-sync replicas than there are replicas.
    boolean underReplicated() {
        return role instanceof Leader leader && leader.isr().size() < durability.settled();
    }

    /// Whether this broker leads with fewer in-sync replicas than the topic asks for.
    boolean underMinIsr() {
        return role instanceof Leader leader && !durability.enough(leader.isr().size());
    }

    /// Whether this broker leads with just as many in-sync replicas as the topic asks for.
    boolean atMinIsr() {
        return role instanceof Leader leader && leader.isr().size() == durability.needed();
    }

    /// Whether a reassignment brings that broker in.
    boolean isComing(int broker) {
        return coming.contains(broker);
    }

    /// Whether a reassignment brings this broker in.
    boolean isComing() {
        return isComing(context.self());
    }

    /// Whether a reassignment moves it.
    boolean isMoving() {
        return moving;
    }

    /// The state of the present reign; null where this broker does not lead.
    @Nullable
    LeaderState reign() {
        return leading;
    }

    /// The log, where it can be used and the role is of that epoch.
    ///
    /// @param clientEpoch or [Partition#ANY_EPOCH]
    PartitionLog usableLog(int clientEpoch) {
        var now = role;
        if (now instanceof Offline || log == null) {
            throw new Refused(Errors.KAFKA_STORAGE_ERROR, "partition=" + id + " its log directory failed");
        }
        if (clientEpoch != Partition.ANY_EPOCH && clientEpoch != now.leaderEpoch()) {
            throw new Refused(clientEpoch < now.leaderEpoch()
                    ? Errors.FENCED_LEADER_EPOCH
                    : Errors.UNKNOWN_LEADER_EPOCH, "partition=%s leaderEpoch=%d here, %d asked for".formatted(id, now
                            .leaderEpoch(), clientEpoch));
        }
        return log;
    }

    /// The state of the reign, where this broker leads in that epoch.
    LeaderState reign(int clientEpoch) {
        usableLog(clientEpoch);
        var reign = leading;
        if (reign == null) {
            throw notLeader();
        }
        return reign;
    }

    Refused notLeader() {
        return new Refused(Errors.NOT_LEADER_OR_FOLLOWER, "partition=%s %s".formatted(id, role));
    }

    /// The log itself has reported `failure` to whoever watches its directory.
    Refused storageFailed(IOException failure) {
        return new Refused(Errors.KAFKA_STORAGE_ERROR, "partition=%s %s".formatted(id, failure.getClass()
                .getSimpleName()));
    }

    /// Takes in what the controller says.
    Changed told(PartitionImage told, int minInsyncReplicas) {
        lock.lock();
        try {
            durability = Durability.of(told, minInsyncReplicas);
            coming = Set.copyOf(told.adding());
            moving = told.isMoving();
            replicas = told.replicas();
            return become(ReplicaRole.next(role, told.leaderEpoch(), told.partitionEpoch(), told.leader(), told.isr(),
                    context.self()));
        } finally {
            lock.unlock();
        }
    }

    /// The controller took over the ISR that this leader proposed. Of no effect where the reign is another by now.
    Changed committed(Leader next) {
        lock.lock();
        try {
            boolean newer = role instanceof Leader leader && leader.leaderEpoch() == next.leaderEpoch()
                    && leader.partitionEpoch() < next.partitionEpoch();
            return become(newer ? next : role);
        } finally {
            lock.unlock();
        }
    }

    /// The log directory failed.
    Changed failed() {
        lock.lock();
        try {
            return become(ReplicaRole.failed(role));
        } finally {
            lock.unlock();
        }
    }

    /// The partition is no longer here: whoever still has it in hand finds no leader, whatever its last role was.
    Changed retired() {
        lock.lock();
        try {
            return become(new Follower(role.leaderEpoch(), role.partitionEpoch(), PartitionImage.NO_LEADER));
        } finally {
            lock.unlock();
        }
    }

    private Changed become(ReplicaRole next) {
        var before = role;
        var former = leading;
        role = next;
        if (former != null && !(next instanceof Leader && before.leaderEpoch() == next.leaderEpoch())) {
            former.end();
        }
        if (next instanceof Leader leader && log != null) {
            var reign = former != null && before.leaderEpoch() == next.leaderEpoch()
                    ? former
                    : LeaderState.begin(context, log, leader, replicas, durability, acks(former, log));
            leading = reign;
            return new Changed(before, next, reign, reign.committed(leader, replicas, durability));
        }
        leading = null;
        if (former != null) {
            former.acks().close(notLeader());
        }
        return new Changed(before, next, null, null);
    }

    /// Whoever waits for the replicas waits on through reigns of the same leader: its log stays what it is.
    private static AckQueues acks(@Nullable LeaderState former, PartitionLog log) {
        return former == null ? AckQueues.of(log) : former.acks();
    }
}
