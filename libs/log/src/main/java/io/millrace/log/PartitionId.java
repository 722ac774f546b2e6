package io.millrace.log;

import java.util.Comparator;

/// A partition by name, as in the name of its directory.
public record PartitionId(String topic, int partition) {
    /// By topic, then by number.
    static final Comparator<PartitionId> ORDER = Comparator.comparing(PartitionId::topic).thenComparingInt(
            PartitionId::partition);

    /// `orders-3`
    public String directoryName() {
        return topic + "-" + partition;
    }

    @Override
    public String toString() {
        return directoryName();
    }
}
