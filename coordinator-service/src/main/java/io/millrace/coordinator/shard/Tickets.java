package io.millrace.coordinator.shard;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;

import io.millrace.wire.error.Refused;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;

/// Requests that a group's machine has yet to answer, by number. Belongs to the shard's loop.
final class Tickets {
    private final Map<Long, Ticket<?>> open = new HashMap<>();
    private long last;

    private record Ticket<A>(CompletableFuture<A> answer, Class<A> type) {
        void complete(ApiMessage response) {
            answer.complete(type.cast(response));
        }
    }

    /// @param ask told the number of this request; the answer may be given before it returns
    <A extends ApiMessage> CompletableFuture<A> open(Class<A> type, LongConsumer ask) {
        long number = ++last;
        var answer = new CompletableFuture<A>();
        open.put(number, new Ticket<>(answer, type));
        ask.accept(number);
        return answer;
    }

    /// Nothing happens where it was answered before.
    void answer(long number, ApiMessage response) {
        var ticket = open.remove(number);
        if (ticket != null) {
            ticket.complete(response);
        }
    }

    void refuse(long number, Refused refusal) {
        var ticket = open.remove(number);
        if (ticket != null) {
            ticket.answer().completeExceptionally(refusal);
        }
    }

    /// Whoever waits is told that this is not the coordinator.
    void close() {
        var unanswered = List.copyOf(open.values());
        open.clear();
        unanswered.forEach(ticket -> ticket.answer()
                .completeExceptionally(new Refused(Errors.NOT_COORDINATOR, "the group's shard moved")));
    }
}
