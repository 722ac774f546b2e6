package io.millrace.coordinator.group.classic;

/// What a group may wait for; a group has at most one timer of each.
public sealed interface Timer {
    /// A member's next heartbeat, or a fresh member's rejoin.
    record Session(String memberId) implements Timer {}

    /// The second JoinGroup of a member that was told its id.
    record Pending(String memberId) implements Timer {}

    /// The members of the last generation join again, or the initial window ends.
    record Gathering() implements Timer {}

    /// The members of this generation send SyncGroup.
    record Syncing() implements Timer {}
}
