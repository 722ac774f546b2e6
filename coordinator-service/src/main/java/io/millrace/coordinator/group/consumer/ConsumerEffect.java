package io.millrace.coordinator.group.consumer;

import org.apache.kafka.common.protocol.ApiMessage;

/// What is to be done once a step's records are stored, in the order given.
public sealed interface ConsumerEffect {
    /// Answers the request that came with `ticket`; each ticket is answered once.
    record Answer(long ticket, ApiMessage response) implements ConsumerEffect {}

    /// Starts a timer, in place of the same one that runs.
    record Arm(ConsumerTimer timer, long delayMillis, ConsumerEvent event) implements ConsumerEffect {}

    /// Starts a timer, unless it runs.
    record ArmUnlessRunning(ConsumerTimer timer, long delayMillis, ConsumerEvent event) implements ConsumerEffect {}

    /// Stops a timer, if it runs.
    record Disarm(ConsumerTimer timer) implements ConsumerEffect {}
}
