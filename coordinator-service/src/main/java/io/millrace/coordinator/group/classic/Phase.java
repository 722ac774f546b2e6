package io.millrace.coordinator.group.classic;

import io.millrace.coordinator.group.GroupState;
import org.jspecify.annotations.Nullable;
import org.pcollections.PSet;

/// Where a classic group stands, with what that state alone carries.
///
///     Empty ──► Preparing ──► Completing ──► Stable
///       ▲          │  ▲            │            │
///       └──────────┘  └────────────┴────────────┘   a join, a leave, an expiry
///
///     Empty ──► Dead     while it is being deleted
public sealed interface Phase {
    /// The name of this state.
    GroupState state();

    /// No members.
    record Empty() implements Phase {
        @Override
        public GroupState state() {
            return GroupState.EMPTY;
        }
    }

    /// Members gather.
    ///
    /// @param window of a group that was empty: it ends by time alone, and grows while members arrive; null otherwise
    record Preparing(@Nullable Window window) implements Phase {
        @Override
        public GroupState state() {
            return GroupState.PREPARING_REBALANCE;
        }
    }

    /// Members have their generation and send SyncGroup.
    ///
    /// @param unsynced who has not sent it yet
    record Completing(PSet<String> unsynced) implements Phase {
        @Override
        public GroupState state() {
            return GroupState.COMPLETING_REBALANCE;
        }
    }

    /// Members work.
    ///
    /// @param unsynced who has not fetched its assignment yet
    record Stable(PSet<String> unsynced) implements Phase {
        @Override
        public GroupState state() {
            return GroupState.STABLE;
        }
    }

    /// Being deleted.
    record Dead() implements Phase {
        @Override
        public GroupState state() {
            return GroupState.DEAD;
        }
    }

    /// How long the first members of a group wait for others (KIP-134).
    ///
    /// @param delayMillis length of the part that runs now
    /// @param remainingMillis how much longer it may become
    /// @param grown whether a member came since this part began
    record Window(long delayMillis, long remainingMillis, boolean grown) {}
}
