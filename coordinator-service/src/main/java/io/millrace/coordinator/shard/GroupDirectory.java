package io.millrace.coordinator.shard;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.millrace.coordinator.group.GroupState;
import io.millrace.coordinator.group.classic.Descriptions;
import io.millrace.coordinator.group.consumer.ConsumerDescriptions;
import io.millrace.coordinator.group.consumer.ConsumerRules;
import io.millrace.coordinator.record.GroupRecord;
import io.millrace.wire.api.AddedText;
import lombok.extern.slf4j.Slf4j;
import org.apache.kafka.common.message.ConsumerGroupDescribeResponseData;
import org.apache.kafka.common.message.DescribeGroupsResponseData.DescribedGroup;
import org.apache.kafka.common.message.ListGroupsResponseData.ListedGroup;
import org.apache.kafka.common.protocol.Errors;

/// The groups of a shard as operators see them. Belongs to the shard's loop.
@Slf4j
final class GroupDirectory {
    private final GroupTable table;
    private final AppendQueue<GroupRecord> appends;
    private final ConsumerRules rules;
    private final GroupWorld world;

    GroupDirectory(GroupTable table, AppendQueue<GroupRecord> appends, ConsumerRules rules, GroupWorld world) {
        this.table = table;
        this.appends = appends;
        this.rules = rules;
        this.world = world;
    }

    List<ListedGroup> list() {
        return table.all().stream().map(GroupDirectory::line).toList();
    }

    /// The same, each with the time at which it was last heard of where that is known.
    List<ListedGroup> listWithSigns() {
        return table.all().stream().map(slot -> {
            var line = line(slot);
            slot.lastSignMillis().ifPresent(sign -> AddedText.add(line, Long.toString(sign)));
            return line;
        }).toList();
    }

    private static ListedGroup line(GroupSlot slot) {
        return slot.consumer().map(ConsumerDescriptions::list).orElseGet(() -> Descriptions.list(slot.group()));
    }

    /// A group that is not known, or is no classic one, is `Dead`.
    DescribedGroup describe(String groupId) {
        return table.find(groupId).filter(slot -> slot.consumer().isEmpty()).map(slot -> {
            var group = Descriptions.describe(slot.group());
            slot.lastRebalance().ifPresent(last -> AddedText.add(group, last.text()));
            group.members().forEach(member -> slot.software(member.clientId(), member.clientHost()).ifPresent(
                    software -> AddedText.add(member, software)));
            return group;
        }).orElseGet(() -> Descriptions.unknown(groupId));
    }

    /// A group that is not known, or is no consumer group, is not found.
    ConsumerGroupDescribeResponseData.DescribedGroup describeConsumer(String groupId) {
        return table.find(groupId).flatMap(slot -> slot.consumer().map(consumer -> {
            var group = ConsumerDescriptions.describe(consumer, rules, world.topics().get());
            slot.lastRebalance().ifPresent(last -> AddedText.add(group, last.text()));
            group.members().forEach(member -> slot.software(member.clientId(), member.clientHost()).ifPresent(
                    software -> AddedText.add(member, software)));
            return group;
        })).orElseGet(() -> ConsumerDescriptions.unknown(groupId));
    }

    /// Deletes an empty group with its offsets. From now on it takes no commit and no member; what is on its way comes
    /// before the tombstones.
    CompletableFuture<Errors> delete(String groupId) {
        var found = table.find(groupId);
        var state = found.map(GroupSlot::state);
        if (found.isEmpty() || !found.get().isEmpty()) {
            return CompletableFuture.completedFuture(state.isEmpty()
                    ? Errors.GROUP_ID_NOT_FOUND
                    : state.get() == GroupState.DEAD ? Errors.NOT_COORDINATOR : Errors.NON_EMPTY_GROUP);
        }
        var slot = found.get();
        var answer = new CompletableFuture<Errors>();
        table.die(slot);
        appends.append(List.of(), earlier -> {
            var records = table.removals(slot, _ -> true);
            int offsets = records.size();
            records.addAll(slot.removal());
            appends.append(earlier == Errors.NONE ? records : List.of(), error -> {
                if (error == Errors.NONE && earlier == Errors.NONE) {
                    records.forEach(table::replay);
                    log.info("group deleted group={} offsets={}", groupId, offsets);
                } else {
                    table.revive(slot);
                }
                answer.complete(AppendErrors.forClient(earlier == Errors.NONE ? error : earlier));
            });
        });
        return answer;
    }
}
