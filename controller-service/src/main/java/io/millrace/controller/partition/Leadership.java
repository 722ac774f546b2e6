package io.millrace.controller.partition;

import java.util.List;

import io.millrace.metadata.image.PartitionImage;

/// Leader choice: the first replica of the assignment that may lead and is in the ISR; else, only where unclean election
/// is allowed, the first that may lead at all. The ISR is never emptied: the last one in it is who has the data.
///
///     waiting (no state yet) ──► led ◄──► leaderless
public final class Leadership {
    /// Partition epoch of a partition that has no `state` node and waits for a leader; before its first, its leader epoch
    /// too.
    public static final int NO_STATE = -1;

    private Leadership() {}

    /// A partition of a new topic, before it has a leader: as long as none of its replicas may lead it waits, as Kafka
    /// leaves such a topic without `state` nodes.
    public static PartitionImage waiting(int partition, List<Integer> replicas) {
        return new PartitionImage(partition, replicas, List.of(), List.of(), List.of(), PartitionImage.NO_LEADER,
                NO_STATE,
                NO_STATE);
    }

    /// A partition whose `state` node somebody removed: its leader epochs go on from where they were.
    public static PartitionImage bereft(PartitionImage known) {
        return new PartitionImage(known.partition(), known.replicas(), List.of(), known.adding(), known.removing(),
                PartitionImage.NO_LEADER, known.leaderEpoch(), NO_STATE);
    }

    /// Whether the partition has no `state` node yet.
    public static boolean isWaiting(PartitionImage partition) {
        return partition.partitionEpoch() == NO_STATE;
    }

    /// The partition as it must be with these brokers; `now` itself where nothing changes. Epochs go up by one with
    /// every change: the leader epoch tells replicas, the partition epoch is the version of the `state` node.
    public static PartitionImage next(PartitionImage now, Brokers brokers, boolean unclean) {
        if (isWaiting(now)) {
            // Only the leader is in sync at first, since nothing has fetched from it yet.
            int leader = firstThatMayLead(now.replicas(), brokers);
            return leader == PartitionImage.NO_LEADER ? now : with(now, leader, List.of(leader));
        }
        var inSync = now.isr().stream().filter(brokers.alive()::test).toList();
        var isr = inSync.isEmpty() ? now.isr() : inSync;
        int leader = leader(now, inSync, brokers);
        if (leader == PartitionImage.NO_LEADER && unclean) {
            leader = firstThatMayLead(now.replicas(), brokers);
            isr = leader == PartitionImage.NO_LEADER ? isr : List.of(leader);
        }
        return leader == now.leader() && isr.equals(now.isr()) ? now : with(now, leader, isr);
    }

    /// Whether going from `before` to `after` gave the partition to a replica that may miss acknowledged records.
    public static boolean wasUnclean(PartitionImage before, PartitionImage after) {
        return !isWaiting(before) && after.leader() != PartitionImage.NO_LEADER && !before.isr().contains(after
                .leader());
    }

    private static int leader(PartitionImage now, List<Integer> inSync, Brokers brokers) {
        if (inSync.contains(now.leader()) && brokers.mayLead().test(now.leader())) {
            return now.leader();
        }
        int successor = firstThatMayLead(now.replicas().stream().filter(inSync::contains).toList(), brokers);
        // A leader that is shutting down stays where nobody can follow it.
        return successor == PartitionImage.NO_LEADER && inSync.contains(now.leader()) ? now.leader() : successor;
    }

    private static int firstThatMayLead(List<Integer> candidates, Brokers brokers) {
        return candidates.stream().filter(brokers.mayLead()::test).findFirst().orElse(PartitionImage.NO_LEADER);
    }

    private static PartitionImage with(PartitionImage now, int leader, List<Integer> isr) {
        return new PartitionImage(now.partition(), now.replicas(), isr, now.adding(), now.removing(), leader,
                now.leaderEpoch() + 1, now.partitionEpoch() + 1);
    }
}
