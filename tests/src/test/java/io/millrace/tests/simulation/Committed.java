package io.millrace.tests.simulation;

import java.util.LinkedHashMap;
import java.util.Map;

/// All that was ever committed, by partition.
final class Committed {
    private final Map<PartitionKey, CommittedLog> logs = new LinkedHashMap<>();

    CommittedLog of(PartitionKey partition) {
        return logs.computeIfAbsent(partition, _ -> new CommittedLog());
    }

    /// Records in all partitions.
    long records() {
        return logs.values().stream().mapToLong(CommittedLog::end).sum();
    }
}
