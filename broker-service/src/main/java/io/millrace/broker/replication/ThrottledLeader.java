package io.millrace.broker.replication;

import io.millrace.broker.fetch.LeaderThrottle;
import io.millrace.broker.partition.Partition;
import io.millrace.broker.partition.ReplicaRole.Leader;

/// The leaders' end of the quota: a throttled follower that is not in sync gets nothing while the rate is exceeded.
///
/// @param quota of what this broker sends as a leader
record ThrottledLeader(ReplicationQuota quota) implements LeaderThrottle {
    @Override
    public boolean holdsBack(Partition partition, int replica) {
        return quota.holdsBack(partition.id()) && !(partition.role() instanceof Leader leader && leader.isr().contains(
                replica));
    }

    @Override
    public void sent(Partition partition, int bytes) {
        quota.moved(partition.id(), bytes);
    }
}
