package io.millrace.coordinator.offsets;

/// The word of a transaction's coordinator that a group's partition is a part of it.
///
/// @param leave taken before it was asked
/// @param coordinatorEpoch in which it said so
public record Admission(RecentEnds.Leave leave, int coordinatorEpoch) {}
