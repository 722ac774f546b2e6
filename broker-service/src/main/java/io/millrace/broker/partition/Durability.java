package io.millrace.broker.partition;

/// On how many brokers a partition's records are to be. **pure**
///
/// @param replicas how many brokers are to hold it
/// @param minInsyncReplicas `min.insync.replicas` of the topic
record Durability(int replicas, int minInsyncReplicas) {

    /// How many in-sync replicas there must be. A topic cannot ask for more than it has replicas.
    int needed() {
        return Math.min(replicas, minInsyncReplicas);
    }

    boolean enough(int isr) {
        return isr >= needed();
    }
}
