package io.millrace.coordinator.shard;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.millrace.coordinator.group.classic.ClassicGroup;
import io.millrace.coordinator.offsets.PendingOffsets;
import io.millrace.coordinator.record.GroupRecord;
import io.millrace.coordinator.record.GroupRecord.GroupPut;
import io.millrace.coordinator.record.GroupRecord.GroupRemoved;
import io.millrace.coordinator.record.GroupRecord.OffsetPut;
import io.millrace.coordinator.record.GroupRecord.OffsetRemoved;

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
            census.group(slot.group().state(), 1);
            return slot;
        });
    }

    /// A copy, so that the caller may change the table while it goes through it.
    Collection<GroupSlot> all() {
        return List.copyOf(slots.values());
    }

    /// Gives the group its next state; forgets it where nothing is left of it.
    void become(GroupSlot slot, ClassicGroup next) {
        if (next.state() != slot.group().state()) {
            census.group(slot.group().state(), -1);
            census.group(next.state(), 1);
        }
        slot.group(next);
        forgetIfBlank(slot);
    }

    /// Forgets the group where nothing is left of it.
    void forgetIfBlank(GroupSlot slot) {
        if (slot.isBlank() && slots.remove(slot.groupId(), slot)) {
            census.group(slot.group().state(), -1);
        }
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
        }
    }

    /// The shard goes elsewhere: nothing of it counts here any more.
    void clear() {
        slots.values().forEach(slot -> {
            census.group(slot.group().state(), -1);
            census.offsets(-slot.offsets().size());
        });
        slots.clear();
    }
}
