package io.millrace.metadata.image;

import java.util.List;

/// A partition and who serves it.
///
/// @param partition its number within the topic
/// @param replicas the brokers that hold it, the preferred leader first
/// @param isr those in sync with the leader; never empty once there was a leader
/// @param adding replicas that a reassignment brings in
/// @param removing replicas that a reassignment takes away
/// @param leader broker id; [#NO_LEADER] where there is none
/// @param leaderEpoch goes up at each change of the leader
/// @param partitionEpoch goes up at each change of leader or ISR: the zkVersion of the partition's `state` znode
/// @param elr who could lead as well, without a loss; nobody where enough replicas are in sync
public record PartitionImage(int partition, List<Integer> replicas, List<Integer> isr, List<Integer> adding,
        List<Integer> removing, int leader, int leaderEpoch, int partitionEpoch, List<EligibleReplica> elr) {
    /// In place of a leader's id.
    public static final int NO_LEADER = -1;

    public PartitionImage {
        replicas = List.copyOf(replicas);
        isr = List.copyOf(isr);
        adding = List.copyOf(adding);
        removing = List.copyOf(removing);
        elr = List.copyOf(elr);
    }

    /// A partition that none could lead but those in sync.
    public PartitionImage(int partition, List<Integer> replicas, List<Integer> isr, List<Integer> adding,
            List<Integer> removing, int leader, int leaderEpoch, int partitionEpoch) {
        this(partition, replicas, isr, adding, removing, leader, leaderEpoch, partitionEpoch, List.of());
    }

    /// Whether some broker leads it.
    public boolean hasLeader() {
        return leader >= 0;
    }

    /// Whether `broker` holds it or is about to.
    public boolean isReplica(int broker) {
        return replicas.contains(broker);
    }

    /// Whether a reassignment is moving it.
    public boolean isMoving() {
        return !adding.isEmpty() || !removing.isEmpty();
    }

    /// Whether replicas are out of sync.
    public boolean underReplicated() {
        return isr.size() < replicas.size();
    }
}
