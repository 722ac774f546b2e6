package io.millrace.broker.partition;

import java.util.List;

/// What this broker is for one partition. A role changes only through [#next] and [#failed].
///
///     Follower ◄──► Leader        (any) ──► Offline when its log directory fails, until the process starts again
///
/// A leader epoch is one leader's reign; the partition epoch also counts changes of the ISR within it.
public sealed interface ReplicaRole {
    /// The epoch of a replica that has not been told anything yet.
    int NO_EPOCH = -1;

    /// @return -1 before anything was told
    int leaderEpoch();

    /// @return -1 before anything was told
    int partitionEpoch();

    /// Its log cannot be used: all requests get KAFKA_STORAGE_ERROR.
    record Offline(int leaderEpoch, int partitionEpoch) implements ReplicaRole {}

    /// @param leader the broker that leads; -1 where none does
    record Follower(int leaderEpoch, int partitionEpoch, int leader) implements ReplicaRole {}

    /// @param isr the in-sync replicas, this broker among them
    record Leader(int leaderEpoch, int partitionEpoch, List<Integer> isr) implements ReplicaRole {
        public Leader {
            isr = List.copyOf(isr);
        }

        /// Whether nobody else must have a record before it counts as replicated.
        public boolean alone() {
            return isr.size() == 1;
        }
    }

    /// The role of a replica that was told nothing yet.
    static ReplicaRole untold() {
        return new Follower(NO_EPOCH, NO_EPOCH, -1);
    }

    /// What the controller says makes of a role. An epoch that is not newer is a repeat, or the word of a controller
    /// that has lost its office: nothing changes.
    ///
    /// @param leader -1 where none leads
    static ReplicaRole next(ReplicaRole now, int leaderEpoch, int partitionEpoch, int leader, List<Integer> isr,
            int self) {
        boolean newer = leaderEpoch > now.leaderEpoch()
                || (leaderEpoch == now.leaderEpoch() && partitionEpoch > now.partitionEpoch());
        if (!newer) {
            return now;
        }
        return switch (now) {
            case Offline _ -> new Offline(leaderEpoch, partitionEpoch);
            case Follower _,Leader _ -> leader == self
                    ? new Leader(leaderEpoch, partitionEpoch, isr)
                    : new Follower(leaderEpoch, partitionEpoch, leader);
        };
    }

    /// The role once the replica's log directory has failed.
    static ReplicaRole failed(ReplicaRole now) {
        return new Offline(now.leaderEpoch(), now.partitionEpoch());
    }
}
