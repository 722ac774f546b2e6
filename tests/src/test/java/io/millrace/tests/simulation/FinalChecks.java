package io.millrace.tests.simulation;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.millrace.broker.partition.Partition;
import io.millrace.metadata.znode.PartitionStateNode;

/// What must hold of a cluster that has healed: every replica has all that was ever committed, and nobody else has any.
///
/// @param states in which each partition is
record FinalChecks(List<SimulatedBroker> brokers, Committed committed, Map<PartitionKey, PartitionStateNode> states) {

    /// Whether the replicas are at the brokers that are in sync, and at no others.
    boolean areInPlace(List<PartitionKey> partitions) {
        return partitions.stream().allMatch(key -> {
            var state = states.get(key);
            return state != null && brokers.stream().filter(broker -> replicas(broker, key).findAny().isPresent())
                    .map(SimulatedBroker::id).toList().equals(state.isr().stream().sorted().toList());
        });
    }

    void check(List<PartitionKey> partitions) {
        for (var key : partitions) {
            for (var broker : brokers) {
                replicas(broker, key).forEach(replica -> check(broker, replica, committed.of(key)));
            }
        }
    }

    private static Stream<Partition> replicas(SimulatedBroker broker, PartitionKey key) {
        var engine = broker.engine();
        return engine == null
                ? Stream.empty()
                : engine.registry().all().stream().filter(one -> one.topicId().equals(key.topicId()) && one.id()
                        .partition() == key.partition());
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
