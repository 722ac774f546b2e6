package io.millrace.broker.replication;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.millrace.log.PartitionId;

/// How many bytes a second one end of replication may move for the replicas that are throttled (KIP-73). Any thread.
///
/// Replicas in sync are not held back, whatever the list says: throttling them would take them out of the ISR.
final class ReplicationQuota {
    /// No limit.
    static final long UNLIMITED = Long.MAX_VALUE;

    private final WindowedRate rate;
    private final Map<String, ThrottledReplicas> byTopic = new ConcurrentHashMap<>();
    private volatile long bytesPerSecond = UNLIMITED;

    ReplicationQuota(WindowedRate rate) {
        this.rate = rate;
    }

    /// Whether its bytes count.
    boolean throttles(PartitionId partition) {
        if (byTopic.isEmpty()) {
            return false;
        }
        return byTopic.getOrDefault(partition.topic(), ThrottledReplicas.NONE).contains(partition.partition());
    }

    /// Whether nothing may be moved for throttled replicas now, unless they are in sync.
    boolean exceeded() {
        long limit = bytesPerSecond;
        return limit != UNLIMITED && rate.perSecond() > limit;
    }

    /// Whether a replica that is not in sync has to wait.
    boolean holdsBack(PartitionId partition) {
        return bytesPerSecond != UNLIMITED && throttles(partition) && exceeded();
    }

    /// Counts what was moved for a throttled replica; nothing for others.
    void moved(PartitionId partition, long bytes) {
        if (throttles(partition)) {
            rate.record(bytes);
        }
    }

    void limit(long newBytesPerSecond) {
        bytesPerSecond = newBytesPerSecond;
    }

    void replicas(String topic, ThrottledReplicas replicas) {
        if (replicas.equals(ThrottledReplicas.NONE)) {
            byTopic.remove(topic);
        } else {
            byTopic.put(topic, replicas);
        }
    }
}
