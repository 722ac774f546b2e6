package io.millrace.coordinator.transaction;

import org.apache.kafka.common.protocol.Errors;

/// What is to be done about an event.
public sealed interface Decision {

    /// Nothing changes, and whoever asked is told so.
    record Refuse(Errors error) implements Decision {}

    /// Nothing changes: it is as it was asked to be.
    record Done(long producerId, short epoch) implements Decision {}

    /// The id becomes `next`, once that is in the log; then who asked gets id and epoch.
    record Become(Transaction next, long producerId, short epoch) implements Decision {}

    /// The id becomes `next`, once that is in the log; then the event is decided again.
    record BecomeFirst(Transaction next) implements Decision {}

    /// The end of a transaction is under way: the event is decided again when it is over.
    record Wait() implements Decision {}

    /// Decided again with a fresh producer id.
    record NeedId() implements Decision {}
}
