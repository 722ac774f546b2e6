package io.millrace.coordinator.shard;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.millrace.base.loop.Deadline;
import io.millrace.base.loop.Loop;
import io.millrace.base.loop.Timeout;
import io.millrace.coordinator.transaction.Decision;
import io.millrace.coordinator.transaction.TransactionEvent;
import io.millrace.coordinator.transaction.TransactionMachine;
import io.millrace.wire.error.Failures;
import org.apache.kafka.common.protocol.Errors;

/// Requests of producers, from when they come until they are answered. Belongs to the shard's loop.
final class TransactionAsks {
    private final ShardPlace place;
    private final Loop loop;
    private final Duration patience;
    private final TransactionShard.Outside outside;
    private final TransactionTable table;
    private final TransactionChanges changes;

    /// @param patience how long a request waits for the end of the transaction before it
    TransactionAsks(ShardPlace place, Duration patience, TransactionShard.Outside outside, TransactionTable table,
            TransactionChanges changes) {
        this.place = place;
        this.patience = patience;
        this.outside = outside;
        this.table = table;
        this.changes = changes;
        loop = place.loop();
    }

    /// One request, from when it came until it is answered.
    private record Ask(String transactionalId, TransactionEvent event, Deadline deadline,
            CompletableFuture<TransactionAnswer> answer) {
        void refuse(Errors error) {
            answer.complete(TransactionAnswer.refused(error));
        }
    }

    CompletableFuture<TransactionAnswer> ask(String transactionalId, TransactionEvent event) {
        loop.assertInLoop();
        var answer = new CompletableFuture<TransactionAnswer>();
        attempt(new Ask(transactionalId, event, Deadline.in(patience, place.runtime().ticker()), answer));
        return answer;
    }

    private void attempt(Ask ask) {
        if (changes.closed()) {
            ask.refuse(Errors.NOT_COORDINATOR);
            return;
        }
        var slot = table.find(ask.transactionalId());
        if (slot.isPresent() && slot.get().changing()) {
            await(slot.get(), ask);
            return;
        }
        var now = slot.map(TransactionSlot::now).orElse(null);
        switch (TransactionMachine.decide(now, ask.event(), place.runtime().clock().millis())) {
            case Decision.Refuse(var error) -> ask.refuse(error);
            case Decision.Done(long producerId, short epoch) ->
                ask.answer().complete(new TransactionAnswer(Errors.NONE, producerId, epoch));
            case Decision.Become(var next, long producerId, short epoch) -> changes.store(ask.transactionalId(), next,
                    error -> ask.answer().complete(error == Errors.NONE
                            ? new TransactionAnswer(Errors.NONE, producerId, epoch)
                            : TransactionAnswer.refused(AppendErrors.forClient(error))));
            case Decision.BecomeFirst(var next) -> changes.store(ask.transactionalId(), next, error -> {
                if (error == Errors.NONE) {
                    outside.metrics().fenced();
                    attempt(ask);
                } else {
                    ask.refuse(AppendErrors.forClient(error));
                }
            });
            case Decision.Wait() -> await(slot.orElseThrow(), ask);
            case Decision.NeedId() -> giveId(ask);
        }
    }

    private void giveId(Ask ask) {
        outside.producerIds().get().whenComplete((id, failure) -> loop.execute(() -> {
            if (failure != null) {
                ask.refuse(Failures.errorOf(failure));
            } else {
                attempt(new Ask(ask.transactionalId(), withId(ask.event(), id), ask.deadline(), ask.answer()));
            }
        }));
    }

    private static TransactionEvent withId(TransactionEvent event, long id) {
        return switch (event) {
            case TransactionEvent.Init(int timeout, long expectedId, short expectedEpoch, _) ->
                new TransactionEvent.Init(timeout, expectedId, expectedEpoch, id);
            case TransactionEvent.End(long producerId, short epoch, boolean commit, short version, _) ->
                new TransactionEvent.End(producerId, epoch, commit, version, id);
            case TransactionEvent.Add _,TransactionEvent.Tick _,TransactionEvent.MarkersWritten _ -> event;
        };
    }

    /// The end of the transaction before is seldom far: a client that was sent away would only come back.
    private void await(TransactionSlot slot, Ask ask) {
        var remaining = ask.deadline().remaining();
        var waiter = new Waiter(slot, ask);
        if (remaining.isZero() || !slot.await(waiter)) {
            ask.refuse(Errors.CONCURRENT_TRANSACTIONS);
        } else {
            waiter.timeout = loop.schedule(remaining, waiter::over);
        }
    }

    private final class Waiter implements Runnable {
        private final TransactionSlot slot;
        private final Ask ask;
        private Timeout timeout = () -> {};

        private Waiter(TransactionSlot slot, Ask ask) {
            this.slot = slot;
            this.ask = ask;
        }

        @Override
        public void run() {
            timeout.cancel();
            attempt(ask);
        }

        private void over() {
            slot.forget(this);
            ask.refuse(Errors.CONCURRENT_TRANSACTIONS);
        }
    }
}
