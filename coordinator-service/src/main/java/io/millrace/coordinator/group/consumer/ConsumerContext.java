package io.millrace.coordinator.group.consumer;

/// What a step goes by, beside the group itself.
///
/// @param nowMillis wall time, kept as the time of an assignment
public record ConsumerContext(TopicDirectory topics, ConsumerTerms terms, long nowMillis) {}
