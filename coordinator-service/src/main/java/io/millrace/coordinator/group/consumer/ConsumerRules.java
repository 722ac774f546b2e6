package io.millrace.coordinator.group.consumer;

import java.util.List;

import io.millrace.base.check.Check;

/// What holds for all consumer groups.
///
/// @param assignors by name, the default first: `group.consumer.assignors`
/// @param maxSize members of a group: `group.consumer.max.size`
/// @param migration which way a group may change its protocol: `group.consumer.migration.policy`
public record ConsumerRules(List<Assignor> assignors, int maxSize, Migration migration) {
    public ConsumerRules {
        assignors = List.copyOf(assignors);
        Check.argument(!assignors.isEmpty() && maxSize > 0, "assignors=%s maxSize=%d", assignors, maxSize);
    }

    /// Whether a member may ask for that assignor.
    boolean offers(String assignor) {
        return assignors.stream().anyMatch(known -> known.label().equals(assignor));
    }

    /// Which way a group with members may change its protocol.
    public enum Migration {
        DISABLED, UPGRADE, DOWNGRADE, BIDIRECTIONAL;

        boolean upgrades() {
            return this == UPGRADE || this == BIDIRECTIONAL;
        }

        boolean downgrades() {
            return this == DOWNGRADE || this == BIDIRECTIONAL;
        }
    }
}
