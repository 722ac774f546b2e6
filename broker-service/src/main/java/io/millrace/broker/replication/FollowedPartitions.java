package io.millrace.broker.replication;

import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.millrace.base.loop.Loop;
import io.millrace.broker.replication.FollowedPartition.Phase;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.protocol.Errors;

/// The partitions of one fetcher, and what becomes of each of them with the leader's answers: it goes on, is repaired, is left
/// alone for a while, is held back by the quota, or fails. Whatever happens to one does not stop the others.
///
/// Confined to the fetcher's loop, but for the repairs on the disks' threads.
final class FollowedPartitions {
    private static final Duration THROTTLE_CHECK = Duration.ofMillis(100);

    private final LeaderSession session;
    private final FetcherConfig config;
    private final Loop loop;
    private final Repairs repairs;
    private final ReplicationQuota quota;
    private final FollowerMetrics metrics;
    private final Runnable news;
    private final Map<TopicIdPartition, FollowedPartition> partitions = new HashMap<>();
    private final Set<FollowedPartition> held = new LinkedHashSet<>();
    private boolean throttleChecked;
    private boolean closed;

    /// @param session is told what is to be fetched
    /// @param news told when there is more to fetch than before, or there may be
    FollowedPartitions(LeaderSession session, FetcherConfig config, Loop loop, Surroundings surroundings,
            Runnable news) {
        this.session = session;
        this.config = config;
        this.loop = loop;
        this.repairs = new Repairs(surroundings.disks(), loop);
        this.quota = surroundings.quota();
        this.metrics = surroundings.metrics();
        this.news = news;
    }

    int size() {
        return partitions.size();
    }

    /// Follows it from now on. One of the same topic and number gives its place.
    void add(FollowedPartition partition) {
        var before = partitions.get(partition.key());
        if (before != null) {
            remove(before);
        }
        partitions.put(partition.key(), partition);
        session.want(partition);
    }

    /// Follows it no longer.
    void remove(FollowedPartition partition) {
        partition.enter(Phase.GONE);
        partitions.remove(partition.key(), partition);
        held.remove(partition);
        session.drop(partition);
    }

    /// Follows none any more, for good.
    void close() {
        closed = true;
        List.copyOf(partitions.values()).forEach(this::remove);
    }

    /// Takes over what the leader answered.
    ///
    /// @param request number of the request that it answers
    void take(FetchResponseData answer, long request) {
        for (var topic : answer.responses()) {
            for (var data : topic.partitions()) {
                var partition = partitions.get(new TopicIdPartition(topic.topicId(), data.partitionIndex()));
                if (partition != null && partition.takesAnswerTo(request)) {
                    take(partition, data);
                }
            }
        }
    }

    private void take(FollowedPartition partition, PartitionData data) {
        switch (partition.take(data)) {
            case Answer.Taken(int bytes, boolean moved) -> taken(partition, bytes, moved);
            case Answer.Diverged(var leaders) -> repair(partition, "diverged", () -> {
                long replicated = partition.highWatermark();
                boolean cut = partition.truncate(leaders);
                metrics.cut(replicated - partition.logEndOffset());
                return cut;
            });
            case Answer.OutOfRange(long start) when partition.restartsAt(start) -> repair(partition, "out of range",
                    () -> {
                        partition.restart(start);
                        return true;
                    });
            case Answer.OutOfRange _ -> delay(partition, Errors.OFFSET_OUT_OF_RANGE,
                    "ahead of the leader, which does not say where the histories part");
            case Answer.Refused(var error, var reason) -> delay(partition, error, reason);
            case Answer.StorageFailed(var reason) -> fail(partition, reason);
        }
    }

    private void taken(FollowedPartition partition, int bytes, boolean moved) {
        if (bytes > 0) {
            metrics.appended(partition, bytes);
            quota.moved(partition.partition().id(), bytes);
        }
        if (moved) {
            session.moved(partition);
        }
        int failed = partition.recovered();
        if (failed > 0) {
            metrics.recovered(partition, failed);
        }
    }

    private void repair(FollowedPartition partition, String why, Repairs.Repair repair) {
        partition.enter(Phase.REPAIRING);
        session.drop(partition);
        repairs.run(partition, why, repair, outcome -> repaired(partition, outcome));
    }

    private void repaired(FollowedPartition partition, Answer outcome) {
        switch (outcome) {
            case Answer.Taken _ -> {
                metrics.repaired();
                resume(partition, Phase.REPAIRING);
            }
            case Answer.StorageFailed(var reason) -> fail(partition, reason);
            case Answer.Refused(var error, var reason) -> delay(partition, error, reason);
            case Answer.Diverged _,Answer.OutOfRange _ -> throw new IllegalStateException("a repair ended with "
                    + outcome);
        }
    }

    private void delay(FollowedPartition partition, Errors error, String reason) {
        if (partition.phase() == Phase.GONE) {
            return;
        }
        partition.enter(Phase.DELAYED);
        session.drop(partition);
        int inARow = partition.failed();
        metrics.delayed(partition, error, reason, inARow);
        loop.schedule(config.backoff(inARow), () -> resume(partition, Phase.DELAYED));
    }

    private void resume(FollowedPartition partition, Phase from) {
        if (partition.phase() == from && !closed) {
            partition.enter(Phase.FETCHING);
            session.want(partition);
            news.run();
        }
    }

    private void fail(FollowedPartition partition, String reason) {
        if (partition.phase() != Phase.GONE) {
            partition.enter(Phase.FAILED);
            session.drop(partition);
            metrics.failed(partition, reason);
        }
    }

    /// Leaves out what the quota holds back, and takes it in again once there is room.
    void throttle() {
        if (!held.isEmpty() && !quota.exceeded()) {
            held.forEach(partition -> {
                partition.enter(Phase.FETCHING);
                session.want(partition);
            });
            held.clear();
        } else if (quota.exceeded()) {
            for (var partition : List.copyOf(session.wanted())) {
                if (!partition.caughtUp() && quota.throttles(partition.partition().id())) {
                    partition.enter(Phase.HELD);
                    session.drop(partition);
                    held.add(partition);
                }
            }
            checkThrottleLater();
        }
    }

    private void checkThrottleLater() {
        if (!held.isEmpty() && !throttleChecked) {
            throttleChecked = true;
            loop.schedule(THROTTLE_CHECK, () -> {
                throttleChecked = false;
                news.run();
            });
        }
    }
}
