package io.millrace.tests.simulation;

import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;

import io.millrace.broker.BrokerEngine;
import io.millrace.broker.partition.Partition;
import io.millrace.broker.partition.ReplicaRole;
import io.millrace.log.PartitionLog;

/// What must hold of the replicas of every broker after every task of it: one leader an epoch, who has all that was ever
/// committed; high watermarks that never go back, and below which all replicas are equal.
final class ReplicaChecks {
    private final Committed committed;
    private final Trace trace;
    private final Map<Reign, Integer> leaders = new HashMap<>();
    private final Map<Integer, IdentityHashMap<Partition, Seen>> byBroker = new HashMap<>();

    private record Reign(PartitionKey partition, int leaderEpoch) {}

    private static final class Seen {
        private final PartitionKey key;
        private final CommittedLog log;
        private final String where;
        private long highWatermark = -1;
        private int ledEpoch = -1;

        Seen(int broker, Partition partition, Committed committed) {
            key = new PartitionKey(partition.topicId(), partition.id().partition());
            log = committed.of(key);
            where = "broker=" + broker + " partition=" + partition.id();
        }
    }

    ReplicaChecks(Committed committed, Trace trace) {
        this.trace = trace;
        this.committed = committed;
    }

    /// A life of that broker is over: the next one begins with what is on its disks.
    void ended(int broker) {
        byBroker.remove(broker);
    }

    void check(SimulatedBroker broker) {
        var engine = broker.engine();
        if (engine != null) {
            broker.disk().inspect(() -> check(broker, engine));
        }
    }

    private void check(SimulatedBroker broker, BrokerEngine engine) {
        var seen = byBroker.computeIfAbsent(broker.id(), _ -> new IdentityHashMap<>());
        for (var partition : engine.registry().all()) {
            var log = partition.log();
            if (log != null && !(partition.role() instanceof ReplicaRole.Offline)) {
                check(broker.id(), partition, log, seen.computeIfAbsent(partition, one -> new Seen(broker.id(), one,
                        committed)));
            }
        }
    }

    private void check(int broker, Partition partition, PartitionLog log, Seen seen) {
        if (partition.role() instanceof ReplicaRole.Leader leader && leader.leaderEpoch() != seen.ledEpoch) {
            seen.ledEpoch = leader.leaderEpoch();
            begins(broker, leader, log, seen);
        }
        if (log.logStartOffset() > seen.log.start()) {
            throw new Violation("%s begins at offset=%d, nobody deleted from %d on", seen.where, log.logStartOffset(),
                    seen.log.start());
        }
        long highWatermark = log.highWatermark();
        if (highWatermark == seen.highWatermark) {
            return;
        }
        if (highWatermark < seen.highWatermark) {
            throw new Violation("%s high watermark went back from %d to %d", seen.where, seen.highWatermark,
                    highWatermark);
        }
        if (highWatermark > log.logEndOffset()) {
            throw new Violation("%s high watermark=%d is beyond the log end=%d", seen.where, highWatermark, log
                    .logEndOffset());
        }
        trace.mark(highWatermark);
        trace.detail("%s role=%s logEnd=%d high watermark from=%d to=%d", seen.where, partition.role(), log
                .logEndOffset(), seen.highWatermark, highWatermark);
        Batches.each(log, Math.max(0, seen.highWatermark), highWatermark, (offset, value, epoch) -> seen.log.seen(
                offset,
                value, epoch, seen.where));
        seen.highWatermark = highWatermark;
    }

    private void begins(int broker, ReplicaRole.Leader leader, PartitionLog log, Seen seen) {
        var other = leaders.putIfAbsent(new Reign(seen.key, leader.leaderEpoch()), broker);
        if (other != null && other != broker) {
            throw new Violation("%s leads in epoch=%d, in which broker=%d led", seen.where, leader.leaderEpoch(),
                    other);
        }
        if (!leader.isr().contains(broker)) {
            throw new Violation("%s leads and is not in its isr=%s", seen.where, leader.isr());
        }
        // One who hears late that it leads need not have what was committed since; it can commit nothing itself.
        long before = seen.log.endAtElection(leader.leaderEpoch());
        if (log.logEndOffset() < before) {
            throw new Violation("%s leads in epoch=%d with log end=%d, and %d records were committed before",
                    seen.where,
                    leader.leaderEpoch(), log.logEndOffset(), before);
        }
        Batches.each(log, 0, before, (offset, value, epoch) -> seen.log.seen(offset, value, epoch, seen.where
                + " which leads in epoch=" + leader.leaderEpoch()));
    }
}
