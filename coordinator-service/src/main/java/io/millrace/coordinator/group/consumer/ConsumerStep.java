package io.millrace.coordinator.group.consumer;

import java.util.List;

import io.millrace.coordinator.record.GroupRecord;

/// What came of events.
///
/// @param records to store, in one piece if possible; empty where there is nothing
/// @param group as it is once they are stored
/// @param effects to be carried out then
/// @param classic whether the records make it a classic group: then `group` is empty
/// @param reason why the group's epoch changed, for the log; empty where it did not
public record ConsumerStep(List<GroupRecord> records, ConsumerGroup group, List<ConsumerEffect> effects,
        String reason, boolean classic) {
    public ConsumerStep {
        records = List.copyOf(records);
        effects = List.copyOf(effects);
    }
}
