package io.millrace.coordinator.group;

/// A group's state under the name that clients, tools and metrics show.
public enum GroupState {
    /// No members; it may have offsets.
    EMPTY("Empty"),
    /// Members are joining.
    PREPARING_REBALANCE("PreparingRebalance"),
    /// Members have joined; the leader's assignment is awaited.
    COMPLETING_REBALANCE("CompletingRebalance"),
    /// A consumer group's targets are older than the group.
    ASSIGNING("Assigning"),
    /// A consumer group's members are on their way to their targets.
    RECONCILING("Reconciling"),
    /// Every member has, or may fetch, its assignment.
    STABLE("Stable"),
    /// It is being deleted, or is not there at all.
    DEAD("Dead");

    private final String label;

    GroupState(String label) {
        this.label = label;
    }

    /// Kafka's name for it.
    public String label() {
        return label;
    }
}
