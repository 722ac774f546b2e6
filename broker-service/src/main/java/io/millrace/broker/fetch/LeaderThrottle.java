package io.millrace.broker.fetch;

import io.millrace.broker.partition.Partition;

/// Holds back what leaders give to throttled followers (KIP-73). Any thread; must not block.
public interface LeaderThrottle {
    /// Nobody is held back.
    LeaderThrottle NONE = new LeaderThrottle() {
        @Override
        public boolean holdsBack(Partition partition, int replica) {
            return false;
        }

        @Override
        public void sent(Partition partition, int bytes) {
            // Nobody is held back.
        }
    };

    /// Whether `replica` gets no records of `partition` for now.
    boolean holdsBack(Partition partition, int replica);

    /// So many bytes of `partition` went to a follower.
    void sent(Partition partition, int bytes);
}
