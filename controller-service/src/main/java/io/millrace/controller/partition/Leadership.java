package io.millrace.controller.partition;

import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;

import io.millrace.metadata.image.EligibleReplica;
import io.millrace.metadata.image.PartitionImage;

/// Leader choice: the first replica of the assignment that may lead and is in the ISR; else the first that may lead and has
/// all that is committed though it is not in the ISR ([Eligible]); else, only where unclean election is allowed, the first
/// that may lead at all. The ISR is never emptied: the last ones in it are who has the data. Who stays in it keeps its place.
///
/// Where the last ones in the ISR were gone, another life of theirs may have lost records with its power: it leads only where
/// nobody is left who was there all the time and may lead again.
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

    /// A partition whose `state` node somebody removed: its leader epochs go on from where they were, and only who was in
    /// sync may lead it.
    public static PartitionImage bereft(PartitionImage known) {
        return new PartitionImage(known.partition(), known.replicas(), known.isr(), known.adding(), known.removing(),
                PartitionImage.NO_LEADER, known.leaderEpoch(), NO_STATE);
    }

    /// Whether the partition has no `state` node yet.
    public static boolean isWaiting(PartitionImage partition) {
        return partition.partitionEpoch() == NO_STATE;
    }

    /// The partition as it must be with these brokers; `now` itself where nothing changes. A leader leads on as long as it
    /// is alive and in sync.
    public static PartitionImage next(PartitionImage now, Brokers brokers, boolean unclean) {
        if (isWaiting(now)) {
            return begun(now, brokers);
        }
        var inSync = those(now.isr(), brokers.alive());
        if (inSync.contains(now.leader())) {
            return with(now, now.leader(), inSync, brokers);
        }
        int complete = complete(now, inSync, brokers);
        if (complete != PartitionImage.NO_LEADER) {
            return with(now, complete, inSync.contains(complete) ? inSync : List.of(complete), brokers);
        }
        int leader = unclean || now.elr().stream().noneMatch(replica -> Eligible.isThere(replica, brokers))
                ? first(now.replicas(), id -> inSync.contains(id) && brokers.mayLead().test(id))
                : PartitionImage.NO_LEADER;
        if (leader == PartitionImage.NO_LEADER && unclean) {
            int any = first(now.replicas(), brokers.mayLead());
            if (any != PartitionImage.NO_LEADER) {
                return with(now, any, List.of(any), List.of());
            }
        }
        return leader == PartitionImage.NO_LEADER
                ? leaderless(now, inSync, brokers)
                : with(now, leader, inSync, brokers);
    }

    /// The first that may lead and is known to have all that is committed.
    private static int complete(PartitionImage now, List<Integer> inSync, Brokers brokers) {
        var there = now.elr().stream().filter(replica -> Eligible.isThere(replica, brokers)).map(
                EligibleReplica::broker)
                .toList();
        boolean wereThere = now.hasLeader() || now.elr().isEmpty();
        int leader = first(now.replicas(), id -> inSync.contains(id) && brokers.mayLead().test(id) && (wereThere
                || there
                        .contains(id)));
        return leader == PartitionImage.NO_LEADER
                ? first(now.replicas(), id -> there.contains(id) && brokers.mayLead().test(id))
                : leader;
    }

    /// The ISR stays as it was where all of it is gone; with others that could lead, it counts as well in which life.
    private static PartitionImage leaderless(PartitionImage now, List<Integer> inSync, Brokers brokers) {
        if (!inSync.isEmpty()) {
            return with(now, PartitionImage.NO_LEADER, inSync, brokers);
        }
        var elr = Eligible.after(now, inSync, brokers);
        boolean others = elr.stream().anyMatch(replica -> !now.isr().contains(replica.broker()));
        return with(now, PartitionImage.NO_LEADER, now.isr(), others ? elr : List.of());
    }

    /// The partition without `leaving`, which is about to stop: led by another one in sync, and where there is none as it
    /// is.
    public static PartitionImage handedOver(PartitionImage now, int leaving, Brokers brokers) {
        var others = those(now.isr(), id -> id != leaving);
        int leader = now.leader() == leaving
                ? first(now.replicas(), id -> others.contains(id) && brokers.mayLead().test(id))
                : now.leader();
        return isWaiting(now) || leader == PartitionImage.NO_LEADER ? now : with(now, leader, others, brokers);
    }

    /// The partition led by the first of its assignment; empty where that one may not lead or is not in sync.
    public static Optional<PartitionImage> preferred(PartitionImage now, Brokers brokers) {
        int preferred = now.replicas().getFirst();
        return !isWaiting(now) && now.isr().contains(preferred) && brokers.mayLead().test(preferred)
                ? Optional.of(with(now, preferred, now.isr(), brokers))
                : Optional.empty();
    }

    /// Whether going from `before` to `after` gave the partition to a replica that may miss acknowledged records.
    ///
    /// @param life of a broker as it is registered after that
    public static boolean wasUnclean(PartitionImage before, PartitionImage after, IntFunction<String> life) {
        int leader = after.leader();
        return !isWaiting(before) && after.hasLeader() && !before.isr().contains(leader) && !before.elr().contains(
                new EligibleReplica(leader, life.apply(leader)));
    }

    /// The partition with that leader and ISR; `now` itself where it has them. The partition epoch, which is the version
    /// of the `state` node, goes up with every change, the leader epoch where the leader is another one.
    static PartitionImage with(PartitionImage now, int leader, List<Integer> isr, Brokers brokers) {
        return with(now, leader, isr, Eligible.after(now, isr, brokers));
    }

    private static PartitionImage with(PartitionImage now, int leader, List<Integer> isr, List<EligibleReplica> elr) {
        if (leader == now.leader() && isr.equals(now.isr()) && elr.equals(now.elr()) && !isWaiting(now)) {
            return now;
        }
        int leaderEpoch = leader == now.leader() ? now.leaderEpoch() : now.leaderEpoch() + 1;
        return new PartitionImage(now.partition(), now.replicas(), isr, now.adding(), now.removing(), leader,
                leaderEpoch, now.partitionEpoch() + 1, elr);
    }

    /// The same partition at another partition epoch.
    static PartitionImage confirmed(PartitionImage now) {
        return new PartitionImage(now.partition(), now.replicas(), now.isr(), now.adding(), now.removing(), now
                .leader(),
                now.leaderEpoch(), now.partitionEpoch() + 1, now.elr());
    }

    /// A new partition starts with all replicas in sync that are there: they have all of nothing.
    private static PartitionImage begun(PartitionImage now, Brokers brokers) {
        boolean isNew = now.isr().isEmpty();
        var isr = those(isNew ? now.replicas() : now.isr(), brokers.mayLead());
        int leader = first(now.replicas(), isr::contains);
        return leader == PartitionImage.NO_LEADER ? now : with(now, leader, isr, brokers);
    }

    private static List<Integer> those(List<Integer> candidates, IntPredicate which) {
        return candidates.stream().filter(which::test).toList();
    }

    private static int first(List<Integer> candidates, IntPredicate which) {
        for (int candidate : candidates) {
            if (which.test(candidate)) {
                return candidate;
            }
        }
        return PartitionImage.NO_LEADER;
    }
}
