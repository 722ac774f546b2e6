package io.millrace.coordinator.shard;

import io.millrace.coordinator.group.classic.ClassicGroup;
import io.millrace.coordinator.group.classic.Phase;
import io.millrace.coordinator.offsets.GroupOffsets;
import io.millrace.coordinator.offsets.GroupUse;

/// A group and its offsets. Changed through [GroupTable] alone.
final class GroupSlot {
    private final String groupId;
    private final GroupOffsets offsets = new GroupOffsets();
    private ClassicGroup group;
    private int commitsInFlight;

    GroupSlot(String groupId) {
        this.groupId = groupId;
        group = ClassicGroup.empty(groupId);
    }

    String groupId() {
        return groupId;
    }

    ClassicGroup group() {
        return group;
    }

    GroupOffsets offsets() {
        return offsets;
    }

    /// Whether commits are on their way, so that neither the group nor its offsets may be taken for old.
    boolean commitsInFlight() {
        return commitsInFlight > 0;
    }

    boolean isBlank() {
        return group.isBlank() && offsets.isEmpty() && commitsInFlight == 0;
    }

    GroupUse use() {
        return switch (group.phase()) {
            case Phase.Empty() -> group.protocolType() == null || group.protocolType().isEmpty()
                    ? new GroupUse.Simple()
                    : new GroupUse.Abandoned(group.stateTimestamp());
            case Phase.Stable(_) ->
                group.subscribedTopics().<GroupUse>map(GroupUse.Subscribed::new).orElseGet(GroupUse.InUse::new);
            case Phase.Preparing(_),Phase.Completing(_),Phase.Dead() -> new GroupUse.InUse();
        };
    }

    void group(ClassicGroup next) {
        group = next;
    }

    void commitBegins() {
        commitsInFlight++;
    }

    void commitEnds() {
        commitsInFlight--;
    }
}
