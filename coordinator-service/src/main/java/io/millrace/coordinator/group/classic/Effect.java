package io.millrace.coordinator.group.classic;

import io.millrace.coordinator.record.GroupSnapshot;
import org.apache.kafka.common.protocol.ApiMessage;

/// What is to be done after a step, in the order given.
public sealed interface Effect {
    /// Answers the request that came with `ticket`; each ticket is answered once.
    record Answer(long ticket, ApiMessage response) implements Effect {}

    /// Stores the group; the outcome comes back as [GroupEvent.Stored] or [GroupEvent.NotStored].
    record Store(GroupSnapshot snapshot, Intent intent) implements Effect {}

    /// Starts a timer, in place of the same one that runs.
    record Arm(Timer timer, long delayMillis, GroupEvent event) implements Effect {}

    /// Stops a timer, if it runs.
    record Disarm(Timer timer) implements Effect {}
}
