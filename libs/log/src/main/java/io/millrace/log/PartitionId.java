package io.millrace.log;

/// A partition by name, as in the name of its directory.
public record PartitionId(String topic, int partition) {
    /// `orders-3`
    public String directoryName() {
        return topic + "-" + partition;
    }

    @Override
    public String toString() {
        return directoryName();
    }
}
