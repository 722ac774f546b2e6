package io.millrace.broker.replication;

import java.nio.ByteBuffer;
import java.util.Objects;

import io.millrace.broker.partition.Partition;
import io.millrace.log.PartitionLog;
import io.millrace.log.batch.LogRefused;
import io.millrace.log.epoch.EpochEndOffset;
import io.millrace.wire.error.Refused;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FetchRequestData.FetchPartition;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;

/// One partition while it follows one leader within one leader epoch. Confined to its fetcher's loop, but for [#lag] and
/// the two repairs.
final class FollowedPartition {
    private static final int NO_EPOCH = -1;
    private static final ByteBuffer NO_RECORDS = ByteBuffer.allocate(0);

    private final Partition partition;
    private final TopicIdPartition key;
    private final int leaderEpoch;
    private final PartitionLog log;
    private Phase phase = Phase.FETCHING;
    private long firstRequest;
    private int failures;
    private volatile long lag = -1;

    /// What is done about it.
    ///
    ///     FETCHING ◄──► HELD (throttled) | DELAYED (after an error) | REPAIRING (being truncated)
    ///     (any) ──► FAILED (its disk) | GONE (followed no longer, or in another epoch)
    enum Phase {
        FETCHING, HELD, DELAYED, REPAIRING, FAILED, GONE
    }

    /// @param partition with a log
    FollowedPartition(Partition partition, int leaderEpoch) {
        this.partition = partition;
        this.leaderEpoch = leaderEpoch;
        this.log = Objects.requireNonNull(partition.log(), "a partition without a log cannot follow");
        var topicId = partition.topicId();
        this.key = new TopicIdPartition(new Uuid(topicId.getMostSignificantBits(), topicId.getLeastSignificantBits()),
                partition.id().partition());
    }

    TopicIdPartition key() {
        return key;
    }

    Partition partition() {
        return partition;
    }

    int leaderEpoch() {
        return leaderEpoch;
    }

    Phase phase() {
        return phase;
    }

    void enter(Phase next) {
        if (phase != Phase.GONE) {
            phase = next;
        }
    }

    /// The leader was first told of it, or told of it anew, in the request of that number. Answers to earlier ones are about
    /// another leader epoch, or were overtaken by a repair.
    void fetchedFrom(long request) {
        firstRequest = request;
    }

    /// Whether an answer to the request of that number is for it as it is now.
    boolean takesAnswerTo(long request) {
        return phase == Phase.FETCHING && request >= firstRequest;
    }

    /// Records that the leader has and this broker does not, as of the last answer; -1 before the first. Any thread.
    long lag() {
        return lag;
    }

    /// Whether its leader takes it for in sync, as far as can be known here.
    boolean caughtUp() {
        return lag == 0;
    }

    long logEndOffset() {
        return log.logEndOffset();
    }

    /// What a request says of it now: where its log ends, and who wrote the last record there.
    FetchPartition asked(int maxBytes) {
        long end = log.logEndOffset();
        long start = log.logStartOffset();
        return new FetchPartition().setPartition(key.partition())
                .setCurrentLeaderEpoch(leaderEpoch)
                .setFetchOffset(end)
                .setLastFetchedEpoch(end > start ? log.epochOf(end - 1).orElse(NO_EPOCH) : NO_EPOCH)
                .setLogStartOffset(start)
                .setPartitionMaxBytes(maxBytes);
    }

    /// Takes over what the leader answered.
    Answer take(PartitionData data) {
        var error = Errors.forCode(data.errorCode());
        if (error == Errors.OFFSET_OUT_OF_RANGE) {
            return new Answer.OutOfRange(data.logStartOffset());
        }
        if (error != Errors.NONE) {
            return new Answer.Refused(error, "refused by the leader");
        }
        var diverging = data.divergingEpoch();
        if (diverging.epoch() >= 0) {
            return new Answer.Diverged(new EpochEndOffset(diverging.epoch(), diverging.endOffset()));
        }
        return append(data);
    }

    private Answer append(PartitionData data) {
        var records = data.records() instanceof MemoryRecords memory ? memory.buffer() : NO_RECORDS;
        long end = log.logEndOffset();
        long start = log.logStartOffset();
        if (!records.hasRemaining() && data.highWatermark() <= log.highWatermark() && data.logStartOffset() <= start) {
            return taken(data, 0, false);
        }
        try {
            partition.asFollower().append(records, leaderEpoch, data.highWatermark(), data.logStartOffset());
        } catch (LogRefused refused) {
            return new Answer.Refused(refused.error(), String.valueOf(refused.getMessage()));
        } catch (Refused refused) {
            return refused.error() == Errors.KAFKA_STORAGE_ERROR
                    ? new Answer.StorageFailed(String.valueOf(refused.getMessage()))
                    : new Answer.Refused(refused.error(), String.valueOf(refused.getMessage()));
        }
        boolean grown = log.logEndOffset() != end;
        return taken(data, grown ? records.remaining() : 0, grown || log.logStartOffset() != start);
    }

    private Answer taken(PartitionData data, int bytes, boolean moved) {
        lag = Math.max(0, data.highWatermark() - log.logEndOffset());
        return new Answer.Taken(bytes, moved);
    }

    long highWatermark() {
        return log.highWatermark();
    }

    /// Cuts off what the leader does not have. Blocks on the disk.
    ///
    /// @return whether that changed anything
    boolean truncate(EpochEndOffset leaders) {
        long before = log.logEndOffset();
        return partition.asFollower().truncateToDivergence(leaders, leaderEpoch) < before;
    }

    /// Whether all that is here lies below what the leader still has, or nothing is here at all.
    boolean restartsAt(long leaderLogStart) {
        return leaderLogStart >= 0 && (log.logEndOffset() < leaderLogStart || log.logEndOffset() == log
                .logStartOffset());
    }

    /// Begins anew at the leader's log start. Blocks on the disk.
    void restart(long leaderLogStart) {
        partition.asFollower().restartAt(leaderLogStart, leaderEpoch);
    }

    /// Counts a failure.
    ///
    /// @return how many there were in a row
    int failed() {
        return ++failures;
    }

    /// @return how many failures in a row are over
    int recovered() {
        int was = failures;
        failures = 0;
        return was;
    }

    @Override
    public String toString() {
        return partition.id() + " leaderEpoch=" + leaderEpoch + " phase=" + phase;
    }
}
