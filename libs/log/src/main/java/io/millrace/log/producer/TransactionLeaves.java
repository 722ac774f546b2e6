package io.millrace.log.producer;

import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/// The leaves that one log has given and that still count. Each epoch of a producer has its own: nobody knows yet which of them
/// the coordinator will confirm. Not for several threads.
final class TransactionLeaves {
    private final Map<Long, Map<Short, TransactionLeave>> byProducer = new HashMap<>();
    private long last;

    /// @param now milliseconds since 1970
    TransactionLeave give(long producerId, short epoch, int sequence, long now) {
        return byProducer.computeIfAbsent(producerId, _ -> new HashMap<>()).compute(epoch, (_, given) -> given == null
                ? new TransactionLeave(++last, epoch, sequence, now)
                : given.with(sequence));
    }

    @Nullable
    TransactionLeave find(long producerId, short epoch) {
        var given = byProducer.get(producerId);
        return given == null ? null : given.get(epoch);
    }

    void withdraw(long producerId, TransactionLeave leave) {
        byProducer.computeIfPresent(producerId, (_, given) -> {
            given.computeIfPresent(leave.producerEpoch(), (_, found) -> found.number() == leave.number()
                    ? null
                    : found);
            return given.isEmpty() ? null : given;
        });
    }

    void forget(long producerId) {
        byProducer.remove(producerId);
    }

    /// Forgets those that were given `maxAgeMs` or longer before `now`.
    void expire(long now, long maxAgeMs) {
        byProducer.values().removeIf(given -> {
            given.values().removeIf(leave -> now - leave.givenAt() >= maxAgeMs);
            return given.isEmpty();
        });
    }

    void clear() {
        byProducer.clear();
    }
}
