package io.millrace.coordinator.record;

/// One change to a group, as it is appended to the group's shard.
public sealed interface GroupRecord permits GroupRecord.OffsetPut, GroupRecord.OffsetRemoved, GroupRecord.GroupPut,
        GroupRecord.GroupRemoved, ConsumerGroupRecord {
    /// The group that it changes.
    String groupId();

    /// An offset was committed; it replaces an earlier one of that partition.
    record OffsetPut(String groupId, String topic, int partition, CommittedOffset value) implements GroupRecord {}

    /// An offset expired or was deleted: a tombstone.
    record OffsetRemoved(String groupId, String topic, int partition) implements GroupRecord {}

    /// A classic group reached a generation, or became empty.
    record GroupPut(String groupId, GroupSnapshot value) implements GroupRecord {}

    /// The classic group itself is gone: a tombstone. Offsets have their own.
    record GroupRemoved(String groupId) implements GroupRecord {}
}
