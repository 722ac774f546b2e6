package io.millrace.tests.simulation;

import java.util.List;
import java.util.Map;

import io.millrace.broker.partition.Partition;

/// What must hold of a cluster that has healed: every replica has all that was ever committed.
///
/// @param partitions that are there, and how many replicas they have
record FinalChecks(List<SimulatedBroker> brokers, Committed committed, Map<PartitionKey, Integer> partitions) {

    void check() {
        partitions.forEach((key, wanted) -> {
            int found = 0;
            for (var broker : brokers) {
                found += check(broker, key);
            }
            if (found != wanted) {
                throw new Violation("partition=%s has %d replicas and not %d", key, found, wanted);
            }
        });
    }

    /// @return how many replicas that broker has
    private int check(SimulatedBroker broker, PartitionKey key) {
        var engine = broker.engine();
        if (engine == null) {
            return 0;
        }
        var replicas = engine.registry().all().stream().filter(one -> one.topicId().equals(key.topicId()) && one.id()
                .partition() == key.partition()).toList();
        replicas.forEach(replica -> check(broker, replica, committed.of(key)));
        return replicas.size();
    }

    private static void check(SimulatedBroker broker, Partition replica, CommittedLog log) {
        var where = "broker=" + broker.id() + " partition=" + replica.id();
        var own = replica.log();
        if (own == null) {
            throw new Violation("%s has no log", where);
        }
        // The last of it may be on its way to a follower.
        long upTo = Math.min(log.end(), own.logEndOffset());
        Batches.each(own, 0, upTo, (offset, value, epoch) -> log.seen(offset, value, epoch, where));
    }
}
