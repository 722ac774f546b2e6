package io.millrace.coordinator.group.classic;

/// Which answer a member's client waits for, if any.
public sealed interface Waiting {
    /// It waits for nothing.
    Waiting NOTHING = new Nothing();

    /// It waits for nothing.
    record Nothing() implements Waiting {}

    /// Its JoinGroup is held until the group has gathered.
    record ForJoin(long ticket) implements Waiting {}

    /// Its SyncGroup is held until the leader's assignment is stored.
    record ForSync(long ticket) implements Waiting {}
}
