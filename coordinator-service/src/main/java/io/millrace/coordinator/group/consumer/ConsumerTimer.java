package io.millrace.coordinator.group.consumer;

/// What a consumer group may wait for; a group has at most one timer of each.
public sealed interface ConsumerTimer {
    /// A member's next report.
    record Session(String memberId) implements ConsumerTimer {}

    /// A member gives up what it was told to.
    record Revocation(String memberId) implements ConsumerTimer {}

    /// A classic member joins again, as it was told to.
    record Rejoin(String memberId) implements ConsumerTimer {}

    /// A classic member fetches what it may have.
    record Sync(String memberId) implements ConsumerTimer {}
}
