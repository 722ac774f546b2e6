package io.millrace.coordinator.group;

/// The last rebalance of a group that this owner of its shard has seen.
///
/// @param atMillis when it began
/// @param reason why, in words
public record LastRebalance(long atMillis, String reason) {

    /// As an answer carries it: `1700000000000 member c-1 joined`.
    public String text() {
        return atMillis + " " + reason;
    }
}
