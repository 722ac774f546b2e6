package io.millrace.coordinator.shard;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import io.millrace.coordinator.group.classic.ClassicGroup;
import io.millrace.coordinator.group.consumer.ConsumerGroup;
import io.millrace.coordinator.offsets.PendingOffsets;
import io.millrace.coordinator.record.ConsumerGroupRecord;
import io.millrace.coordinator.record.ConsumerGroupRecord.CurrentPut;
import io.millrace.coordinator.record.ConsumerGroupRecord.CurrentRemoved;
import io.millrace.coordinator.record.ConsumerGroupRecord.EpochPut;
import io.millrace.coordinator.record.ConsumerGroupRecord.EpochRemoved;
import io.millrace.coordinator.record.ConsumerGroupRecord.MemberPut;
import io.millrace.coordinator.record.ConsumerGroupRecord.MemberRemoved;
import io.millrace.coordinator.record.ConsumerGroupRecord.PatternPut;
import io.millrace.coordinator.record.ConsumerGroupRecord.PatternRemoved;
import io.millrace.coordinator.record.ConsumerGroupRecord.TargetEpochPut;
import io.millrace.coordinator.record.ConsumerGroupRecord.TargetEpochRemoved;
import io.millrace.coordinator.record.ConsumerGroupRecord.TargetPut;
import io.millrace.coordinator.record.ConsumerGroupRecord.TargetRemoved;
import io.millrace.coordinator.record.GroupRecord;
import io.millrace.coordinator.record.GroupRecord.GroupPut;
import io.millrace.coordinator.record.GroupRecord.GroupRemoved;
import io.millrace.coordinator.record.GroupRecord.OffsetPut;
import io.millrace.coordinator.record.GroupRecord.OffsetRemoved;
import org.jspecify.annotations.Nullable;

/// The groups of one shard: all that its log says, and what lives in memory alone. Belongs to the shard's loop.
final class GroupTable {
    private final Map<String, GroupSlot> slots = new HashMap<>();
    private final GroupCensus census;
    private final PendingOffsets pending = new PendingOffsets();

    GroupTable(GroupCensus census) {
        this.census = census;
    }

    Optional<GroupSlot> find(String groupId) {
        return Optional.ofNullable(slots.get(groupId));
    }

    GroupSlot findOrCreate(String groupId) {
        return slots.computeIfAbsent(groupId, id -> {
            var slot = new GroupSlot(id);
            census.group(slot.state(), 1);
            return slot;
        });
    }

    /// A copy, so that the caller may change the table while it goes through it.
    Collection<GroupSlot> all() {
        return List.copyOf(slots.values());
    }

    /// Gives the group its next state; forgets it where nothing is left of it.
    void become(GroupSlot slot, ClassicGroup next) {
        change(slot, () -> slot.group(next));
    }

    /// Gives the consumer group its next state.
    ///
    /// @param next null where it is one no longer
    void become(GroupSlot slot, @Nullable ConsumerGroup next) {
        change(slot, () -> slot.consumer(next));
    }

    /// While it is being deleted nobody may use it; only an empty group can be.
    void die(GroupSlot slot) {
        change(slot, () -> slot.consumer().ifPresentOrElse(group -> slot.consumer(group.dead(true)),
                () -> slot.group(slot.group().dead())));
    }

    /// It was not deleted after all.
    void revive(GroupSlot slot) {
        change(slot, () -> slot.consumer().ifPresentOrElse(group -> slot.consumer(group.dead(false)),
                () -> slot.group(slot.group().revived())));
    }

    private void change(GroupSlot slot, Runnable change) {
        var before = slot.state();
        change.run();
        if (slot.state() != before) {
            census.group(before, -1);
            census.group(slot.state(), 1);
        }
        forgetIfBlank(slot);
    }

    /// Forgets the group where nothing is left of it, nor will come of a transaction that has not ended.
    void forgetIfBlank(GroupSlot slot) {
        if (slot.isBlank() && !pending.has(slot.groupId()) && slots.remove(slot.groupId(), slot)) {
            census.group(slot.state(), -1);
        }
    }

    /// Tombstones for what the group committed for such topics, and for what transactions that have not ended did.
    List<GroupRecord> removals(GroupSlot slot, Predicate<String> topics) {
        var offsets = slot.offsets();
        var records = offsets.removals(slot.groupId(), offsets.topics().stream().filter(topics)
                .collect(Collectors.toSet()));
        pending.of(slot.groupId()).stream().filter(it -> topics.test(it.topic())
                && offsets.of(it.topic(), it.partition()).isEmpty())
                .forEach(it -> records.add(new OffsetRemoved(slot.groupId(), it.topic(), it.partition())));
        return records;
    }

    /// What becomes real, or goes, with the end of a transaction.
    PendingOffsets pending() {
        return pending;
    }

    /// Takes over a record that is in the log.
    void replay(GroupRecord record) {
        switch (record) {
            case OffsetPut(var groupId, var topic, var partition, var value) -> {
                var slot = findOrCreate(groupId);
                int before = slot.offsets().size();
                pending.overtaken(groupId, topic, partition);
                slot.offsets().put(topic, partition, value);
                census.offsets(slot.offsets().size() - before);
            }
            case OffsetRemoved(var groupId, var topic, var partition) -> find(groupId).ifPresent(slot -> {
                pending.overtaken(groupId, topic, partition);
                int before = slot.offsets().size();
                slot.offsets().remove(topic, partition);
                census.offsets(slot.offsets().size() - before);
                forgetIfBlank(slot);
            });
            case GroupPut(var groupId, var value) ->
                become(findOrCreate(groupId), ClassicGroup.restored(groupId, value));
            case GroupRemoved(var groupId) ->
                find(groupId).ifPresent(slot -> become(slot, ClassicGroup.empty(groupId)));
            case ConsumerGroupRecord consumer -> replay(consumer);
        }
    }

    private void replay(ConsumerGroupRecord record) {
        switch (record) {
            case EpochRemoved(var groupId) -> find(groupId).ifPresent(slot -> become(slot, (ConsumerGroup) null));
            case TargetEpochRemoved _,MemberRemoved _,TargetRemoved _,CurrentRemoved _,PatternRemoved _,PatternPut _ ->
                find(record.groupId()).ifPresent(slot -> slot.consumer().ifPresent(
                        group -> become(slot, group.replay(record))));
            case EpochPut _,TargetEpochPut _,MemberPut _,TargetPut _,CurrentPut _ -> {
                var slot = findOrCreate(record.groupId());
                become(slot, slot.consumer().orElseGet(() -> ConsumerGroup.empty(record.groupId())).replay(record));
            }
        }
    }

    /// The shard goes elsewhere: nothing of it counts here any more.
    void clear() {
        slots.values().forEach(slot -> {
            census.group(slot.state(), -1);
            census.offsets(-slot.offsets().size());
        });
        slots.clear();
    }
}
