package io.millrace.coordinator.shard;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import io.millrace.coordinator.group.GroupState;
import io.millrace.coordinator.group.classic.Descriptions;
import io.millrace.coordinator.record.GroupRecord;
import io.millrace.coordinator.record.GroupRecord.GroupRemoved;
import lombok.extern.slf4j.Slf4j;
import org.apache.kafka.common.message.DescribeGroupsResponseData.DescribedGroup;
import org.apache.kafka.common.message.ListGroupsResponseData.ListedGroup;
import org.apache.kafka.common.protocol.Errors;

/// The groups of a shard as operators see them. Belongs to the shard's loop.
@Slf4j
final class GroupDirectory {
    private final GroupTable table;
    private final AppendQueue<GroupRecord> appends;

    GroupDirectory(GroupTable table, AppendQueue<GroupRecord> appends) {
        this.table = table;
        this.appends = appends;
    }

    /// @param states labels in lower case; empty for all
    List<ListedGroup> list(Set<String> states) {
        return table.all().stream().map(GroupSlot::group)
                .filter(group -> states.isEmpty() || states.contains(group.state().label().toLowerCase(Locale.ROOT)))
                .map(Descriptions::list).toList();
    }

    /// A group that is not known is `Dead`.
    DescribedGroup describe(String groupId) {
        return table.find(groupId).map(slot -> Descriptions.describe(slot.group()))
                .orElseGet(() -> Descriptions.unknown(groupId));
    }

    /// Deletes an empty group with its offsets. From now on it takes no commit and no member; what is on its way comes
    /// before the tombstones.
    CompletableFuture<Errors> delete(String groupId) {
        var found = table.find(groupId);
        var state = found.map(slot -> slot.group().state());
        if (found.isEmpty() || state.get() != GroupState.EMPTY) {
            return CompletableFuture.completedFuture(state.isEmpty()
                    ? Errors.GROUP_ID_NOT_FOUND
                    : state.get() == GroupState.DEAD ? Errors.NOT_COORDINATOR : Errors.NON_EMPTY_GROUP);
        }
        var slot = found.get();
        var group = slot.group();
        var answer = new CompletableFuture<Errors>();
        table.become(slot, group.dead());
        appends.append(List.of(), earlier -> {
            var records = new ArrayList<GroupRecord>(slot.offsets().removals(groupId, slot.offsets().topics()));
            records.add(new GroupRemoved(groupId));
            appends.append(earlier == Errors.NONE ? records : List.of(), error -> {
                if (error == Errors.NONE && earlier == Errors.NONE) {
                    records.forEach(table::replay);
                    log.info("group deleted group={} offsets={}", groupId, records.size() - 1);
                } else {
                    table.become(slot, group.revived());
                }
                answer.complete(AppendErrors.forClient(earlier == Errors.NONE ? error : earlier));
            });
        });
        return answer;
    }
}
