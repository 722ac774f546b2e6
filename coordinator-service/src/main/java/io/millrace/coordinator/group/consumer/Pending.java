package io.millrace.coordinator.group.consumer;

/// A request that is answered once the targets of its step are known.
interface Pending {
    void answer(ConsumerTurn turn);
}
