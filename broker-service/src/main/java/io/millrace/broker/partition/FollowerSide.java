package io.millrace.broker.partition;

import java.io.IOException;
import java.nio.ByteBuffer;

import io.millrace.broker.partition.ReplicaRole.Follower;
import io.millrace.log.AppendResult;
import io.millrace.log.batch.LogRefused;
import io.millrace.log.epoch.EpochEndOffset;
import io.millrace.wire.error.Refused;
import org.apache.kafka.common.protocol.Errors;

/// What a partition's log takes from the leader that this broker follows. Any thread may call; what comes from a leader that
/// is followed no longer is refused.
public final class FollowerSide {
    private final HeldRole held;
    private final Announcements announcements;
    /// What the leader told last, while this broker follows it.
    private volatile long leadersHighWatermark;

    /// A change of a follower's log.
    @FunctionalInterface
    private interface Following<R> {
        R change(FollowerLog log) throws IOException;
    }

    FollowerSide(HeldRole held, Announcements announcements) {
        this.held = held;
        this.announcements = announcements;
    }

    /// Appends what the leader sent, and takes over its offsets; on the caller's thread.
    ///
    /// @param batches whole batches from the log end offset on; empty where only the offsets are news. Not kept
    /// @param leaderEpoch of the leader that sent it
    /// @throws Refused FENCED_LEADER_EPOCH where that leader is followed no longer, KAFKA_STORAGE_ERROR
    /// @throws LogRefused CORRUPT_MESSAGE, or OFFSET_OUT_OF_RANGE where they do not go on from the log end
    public AppendResult append(ByteBuffer batches, int leaderEpoch, long leaderHighWatermark, long leaderLogStart) {
        int bytes = batches.remaining();
        var appended = follow(leaderEpoch, followed -> {
            leadersHighWatermark = leaderHighWatermark;
            return followed.append(batches, leaderHighWatermark, leaderLogStart);
        });
        if (appended.raised()) {
            announcements.replicated(Math.max(1, bytes));
        }
        if (bytes > 0) {
            announcements.appended(bytes);
        }
        return appended.result();
    }

    /// Cuts off what the leader does not have (KIP-101, KIP-279). The next fetch may find that more has to go. Blocks on the
    /// disk.
    ///
    /// @param leaders where the leader says that this replica's last epoch ends
    /// @param leaderEpoch of the leader that said so
    /// @return the log end offset then: where to fetch from
    /// @throws Refused FENCED_LEADER_EPOCH where that leader is followed no longer, KAFKA_STORAGE_ERROR
    public long truncateToDivergence(EpochEndOffset leaders, int leaderEpoch) {
        long end = follow(leaderEpoch, followed -> followed.truncateToDivergence(leaders));
        announcements.changed();
        return end;
    }

    /// Throws the log away, and begins it anew where the leader's begins: all that is here was deleted there. Blocks on the
    /// disk.
    ///
    /// @throws Refused FENCED_LEADER_EPOCH where that leader is followed no longer, KAFKA_STORAGE_ERROR
    public void restartAt(long leaderLogStart, int leaderEpoch) {
        follow(leaderEpoch, followed -> followed.restartAt(leaderLogStart));
        announcements.changed();
    }

    /// Whether the leader has shown `offset` to readers already, so that it is on its way here.
    boolean awaits(long offset) {
        return held.now() instanceof Follower && offset <= leadersHighWatermark;
    }

    /// The role changed: what a leader said before counts no longer.
    void begin() {
        leadersHighWatermark = 0;
    }

    private <R> R follow(int leaderEpoch, Following<R> change) {
        held.lock().lock();
        try {
            var usable = held.usableLog(Partition.ANY_EPOCH);
            var now = held.now();
            if (!(now instanceof Follower) || now.leaderEpoch() != leaderEpoch) {
                throw new Refused(Errors.FENCED_LEADER_EPOCH, "partition=%s leaderEpoch=%d is followed no longer: %s"
                        .formatted(held.id(), leaderEpoch, now));
            }
            return change.change(new FollowerLog(usable));
        } catch (IOException failure) {
            throw held.storageFailed(failure);
        } finally {
            held.lock().unlock();
        }
    }
}
