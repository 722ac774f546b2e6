package io.millrace.tests.simulation;

import java.util.List;
import java.util.Map;

import io.millrace.broker.partition.Partition;
import io.millrace.metadata.znode.PartitionStateNode;

/// What must hold of a cluster that has healed: every replica has all that was ever committed, and nobody else has any.
///
/// @param states in which each partition is
record FinalChecks(List<SimulatedBroker> brokers, Committed committed, Map<PartitionKey, PartitionStateNode> states) {

    void check(List<PartitionKey> partitions) {
        for (var key : partitions) {
            var found = brokers.stream().filter(broker -> check(broker, key)).map(SimulatedBroker::id).toList();
            var state = states.get(key);
            if (state == null) {
                throw new Violation("partition=%s has no state", key);
            }
            if (!found.equals(state.isr().stream().sorted().toList())) {
                throw new Violation("partition=%s is at brokers=%s and in the state %s", key, found, state);
            }
        }
    }

    /// @return whether that broker has a replica
    private boolean check(SimulatedBroker broker, PartitionKey key) {
        var engine = broker.engine();
        if (engine == null) {
            return false;
        }
        var replicas = engine.registry().all().stream().filter(one -> one.topicId().equals(key.topicId()) && one.id()
                .partition() == key.partition()).toList();
        replicas.forEach(replica -> check(broker, replica, committed.of(key)));
        return !replicas.isEmpty();
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
