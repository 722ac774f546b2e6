package io.millrace.coordinator.record;

import java.util.List;

import org.jspecify.annotations.Nullable;

/// A classic group as it is stored: stable with its members, or empty without any.
///
/// @param protocol the chosen assignor; null while the group is empty
/// @param leader member id; null while the group is empty
/// @param stateTimestamp wall time since which it is as it is, in milliseconds; -1 in records older than Kafka 2.1
public record GroupSnapshot(String protocolType, int generation, @Nullable String protocol, @Nullable String leader,
        long stateTimestamp, List<MemberSnapshot> members) {
    public GroupSnapshot {
        members = List.copyOf(members);
    }
}
