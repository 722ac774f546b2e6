package io.millrace.coordinator.shard;

import java.time.Clock;
import java.util.List;
import java.util.Optional;

import io.millrace.coordinator.group.classic.ClassicGroup;
import io.millrace.coordinator.group.consumer.ConsumerContext;
import io.millrace.coordinator.group.consumer.ConsumerEvent;
import io.millrace.coordinator.group.consumer.ConsumerGroup;
import io.millrace.coordinator.group.consumer.ConsumerMachine;
import io.millrace.coordinator.group.consumer.ConsumerStep;

/// The machine of consumer groups in the world as it is now.
record ConsumerDecisions(ConsumerMachine machine, GroupWorld world, Clock clock) {

    ConsumerStep step(ConsumerGroup group, List<ConsumerEvent> events) {
        return machine.step(group, events, context(group.groupId()));
    }

    /// Empty where the classic group cannot become a consumer group now, or must not.
    Optional<ConsumerStep> upgrade(ClassicGroup group, List<ConsumerEvent> events) {
        return machine.upgrade(group, events, context(group.groupId()));
    }

    private ConsumerContext context(String groupId) {
        return new ConsumerContext(world.topics().get(), world.terms().apply(groupId), clock.millis());
    }
}
