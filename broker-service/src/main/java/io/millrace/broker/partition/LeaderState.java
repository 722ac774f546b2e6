package io.millrace.broker.partition;

import java.io.IOException;

import io.millrace.broker.partition.ReplicaRole.Leader;
import io.millrace.log.PartitionLog;
import lombok.extern.slf4j.Slf4j;

/// What the leader of a partition knows during one reign. Called with the partition's lock held.
@Slf4j
final class LeaderState {
    private final PartitionLog partitionLog;
    private Leader role;

    private LeaderState(PartitionLog partitionLog, Leader role) {
        this.partitionLog = partitionLog;
        this.role = role;
    }

    /// Begins the reign. Where the disk fails, whoever watches the directory hears of it from the log.
    static LeaderState begin(PartitionLog partitionLog, Leader role) {
        try {
            partitionLog.beginEpoch(role.leaderEpoch());
        } catch (IOException failure) {
            log.error("a reign began on a failing disk leaderEpoch={}", role.leaderEpoch(), failure);
        }
        return new LeaderState(partitionLog, role);
    }

    /// The controller changed the in-sync replicas within this reign.
    void committed(Leader changed) {
        role = changed;
    }

    /// The high watermark is the least log end of the in-sync replicas; what followers have is not known here yet, so it
    /// moves only while there are none in sync.
    ///
    /// @return whether it moved
    boolean raiseHighWatermark() {
        return role.alone() && partitionLog.highWatermark() < partitionLog.updateHighWatermark(partitionLog
                .logEndOffset());
    }
}
