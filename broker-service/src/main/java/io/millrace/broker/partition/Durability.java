package io.millrace.broker.partition;

import io.millrace.metadata.image.PartitionImage;

/// On how many brokers a partition's records are to be. **pure**
///
/// @param replicas how many brokers hold it, those included that a reassignment brings in
/// @param settled how many of them were to hold it before a reassignment began
/// @param minInsyncReplicas `min.insync.replicas` of the topic; more than are in sync where the controller takes those for too
///        few and keeps others that could lead, since nothing may be committed without them (KIP-966)
record Durability(int replicas, int settled, int minInsyncReplicas) {

    static Durability of(PartitionImage told, int minInsyncReplicas) {
        int replicas = Math.max(1, told.replicas().size());
        return new Durability(replicas, Math.max(1, replicas - told.adding().size()), told.elr()
                .isEmpty() ? minInsyncReplicas : Math.max(minInsyncReplicas, told.isr().size() + 1));
    }

    /// How many in-sync replicas there must be. A topic cannot ask for more than it has replicas.
    int needed() {
        return Math.min(replicas, minInsyncReplicas);
    }

    boolean enough(int isr) {
        return isr >= needed();
    }
}
