package io.millrace.coordinator.lag;

/// What a group has committed for a partition.
///
/// @param offset of the record that it reads next
record CommittedAt(String group, PartitionName partition, long offset) {

    /// A partition by the name of its topic.
    record PartitionName(String topic, int partition) {}
}
