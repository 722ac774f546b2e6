package io.millrace.broker.fetch;

import java.util.ArrayList;
import java.util.List;

import io.millrace.broker.partition.BrokerTopicMetrics;
import io.millrace.broker.partition.FetchTimes;
import io.millrace.broker.partition.FollowerFetch;
import io.millrace.broker.partition.Partition;
import io.millrace.broker.partition.PartitionFailures;
import io.millrace.broker.partition.PartitionRegistry;
import io.millrace.broker.partition.ReadFrom;
import io.millrace.broker.partition.ReadFrom.Source;
import io.millrace.broker.partition.ReadLimit;
import io.millrace.wire.codec.FileSlice;
import org.apache.kafka.common.message.FetchResponseData.EpochEndOffset;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.jspecify.annotations.Nullable;

/// One answer to a follower while it grows: looks at those partitions of its session that moved, and notes at their leaders
/// how far the follower is.
final class ReplicaLook {
    private final PartitionRegistry partitions;
    private final Follower follower;
    private final FetchTimes times;
    private final LeaderThrottle throttle;
    private final BrokerTopicMetrics metrics;
    private final int maxBytes;
    private final List<Answered> answers = new ArrayList<>();
    private final List<ReplicaEntry> told = new ArrayList<>();
    /// Those that have more than there was room for, or that the follower has not said it has.
    private final List<ReplicaEntry> unfinished = new ArrayList<>();
    private long bytes;
    private boolean urgent;
    private boolean heldBack;

    /// Who asks.
    ///
    /// @param epoch of its registration; -1 where it does not say
    record Follower(int replica, long epoch) {}

    /// What serves it.
    record Tools(PartitionRegistry partitions, LeaderThrottle throttle, BrokerTopicMetrics metrics) {}

    /// @param maxBytes of records in the answer, but for a first batch that is larger
    ReplicaLook(Tools tools, Follower follower, FetchTimes times, int maxBytes) {
        this.partitions = tools.partitions();
        this.throttle = tools.throttle();
        this.metrics = tools.metrics();
        this.follower = follower;
        this.times = times;
        this.maxBytes = maxBytes;
    }

    boolean hasRoom() {
        return bytes < maxBytes;
    }

    /// Whether it can be sent without waiting for more.
    boolean suffices(int minBytes) {
        return urgent || bytes >= minBytes;
    }

    List<Answered> answers() {
        return answers;
    }

    List<ReplicaEntry> unfinished() {
        return unfinished;
    }

    /// Whether some partition has more that its throttle does not let go now.
    boolean heldBack() {
        return heldBack;
    }

    /// It is sent: from now on the follower knows what it says.
    void sent() {
        for (int i = 0; i < answers.size(); i++) {
            var answer = answers.get(i);
            told.get(i).told(answer.data());
            var partition = answer.partition();
            if (partition == null) {
                metrics.fetchRefused();
            } else {
                partition.meters().fetchRequest();
                if (answer.sizeBytes() > 0) {
                    metrics.replicated(answer.sizeBytes(), partition.isComing(follower.replica()));
                    throttle.sent(partition, answer.sizeBytes());
                }
            }
        }
    }

    /// It is not sent: gives back the parts of files, and marks again what it has looked at in vain.
    void drop() {
        for (int i = 0; i < answers.size(); i++) {
            if (answers.get(i).data().records() instanceof FileSlice slice) {
                slice.release();
            }
            told.get(i).markNews();
        }
    }

    /// Notes how far the follower is, and reads what it does not have.
    void at(ReplicaEntry entry) {
        try {
            var partition = find(entry);
            entry.watch(partition);
            read(entry, partition);
        } catch (RuntimeException failure) {
            refuse(entry, failure);
        }
    }

    /// Tells the high watermark and the start, where they are news.
    void news(ReplicaEntry entry) {
        var partition = entry.partition();
        var log = partition == null ? null : partition.log();
        if (partition == null || log == null || !partition.leads()) {
            return;
        }
        long highWatermark = log.highWatermark();
        long start = log.logStartOffset();
        if (entry.isNews(highWatermark, start) && !entry.isIn(this)) {
            add(entry, partition, data(entry, highWatermark, log.lastStableOffset(), start));
        }
    }

    private Partition find(ReplicaEntry entry) {
        var key = entry.key();
        return key.byId()
                ? partitions.find(key.topicId(), entry.item().topic(), key.partition())
                : partitions.find(key.topic(), key.partition());
    }

    private void read(ReplicaEntry entry, Partition partition) {
        var item = entry.item();
        var diverging = partition.asLeader().fetched(new FollowerFetch(follower.replica(), follower.epoch(), item
                .fetchOffset(),
                entry.logStartOffset(), item.currentLeaderEpoch(), item.lastFetchedEpoch(), times));
        if (throttle.holdsBack(partition, follower.replica())) {
            heldBack = true;
            unfinished.add(entry);
            return;
        }
        if (!hasRoom()) {
            unfinished.add(entry);
            return;
        }
        int room = (int) Math.max(0, Math.min(item.maxBytes(), maxBytes - bytes));
        var read = partition.read(new ReadFrom(item.fetchOffset(), item.currentLeaderEpoch(), item.lastFetchedEpoch(),
                Source.LEADER), room, bytes == 0, ReadLimit.LOG_END);
        var data = data(entry, read.highWatermark(), read.lastStableOffset(), read.logStartOffset());
        if (diverging != null) {
            data.setDivergingEpoch(new EpochEndOffset().setEpoch(diverging.epoch()).setEndOffset(diverging
                    .endOffset()));
            urgent = true;
        }
        var slice = read.slice();
        if (slice != null) {
            data.setRecords(new FileSlice(slice.channel(), slice.position(), slice.size(), slice::close));
            bytes += slice.size();
        }
        if (slice != null || item.fetchOffset() < partition.asLeader().log(Partition.ANY_EPOCH).logEndOffset()) {
            unfinished.add(entry);
        }
        if (slice != null || diverging != null || entry.isNews(read.highWatermark(), read.logStartOffset())) {
            add(entry, partition, data);
        }
    }

    private void refuse(ReplicaEntry entry, RuntimeException failure) {
        var error = PartitionFailures.errorOf(failure, "replica fetch", entry.item().topic(), entry.key().partition());
        var partition = entry.partition();
        var data = data(entry, -1, -1, -1).setErrorCode(error.code());
        var log = partition == null ? null : partition.log();
        if (error == Errors.OFFSET_OUT_OF_RANGE && log != null) {
            // Where the follower has to go on.
            data.setLogStartOffset(log.logStartOffset());
        }
        add(entry, partition, data);
        urgent = true;
    }

    private static PartitionData data(ReplicaEntry entry, long highWatermark, long lastStable, long logStart) {
        return new PartitionData().setPartitionIndex(entry.key().partition())
                .setHighWatermark(highWatermark)
                .setLastStableOffset(lastStable)
                .setLogStartOffset(logStart)
                .setAbortedTransactions(null)
                .setRecords(MemoryRecords.EMPTY);
    }

    private void add(ReplicaEntry entry, @Nullable Partition partition, PartitionData data) {
        answers.add(new Answered(entry.item(), partition, data));
        told.add(entry);
        entry.in(this);
    }
}
