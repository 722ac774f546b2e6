package io.millrace.coordinator.shard;

import java.util.function.Function;
import java.util.function.Supplier;

import io.millrace.coordinator.group.consumer.ConsumerTerms;
import io.millrace.coordinator.group.consumer.TopicDirectory;

/// What groups go by that is not theirs. Both are called on shards' loops, and answer at once.
///
/// @param topics the newest ones
/// @param terms of the group of that id
public record GroupWorld(Supplier<TopicDirectory> topics, Function<String, ConsumerTerms> terms) {}
