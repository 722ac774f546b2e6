package io.millrace.coordinator.shard;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import io.millrace.base.loop.Deadline;
import io.millrace.base.loop.Loop;
import io.millrace.base.loop.Timeout;
import io.millrace.coordinator.record.TransactionState;
import io.millrace.coordinator.transaction.Decision;
import io.millrace.coordinator.transaction.TransactionEvent;
import io.millrace.coordinator.transaction.TransactionMachine;
import io.millrace.wire.error.Failures;
import lombok.extern.slf4j.Slf4j;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.Errors;

/// Requests of producers, from when they come until they are answered. Belongs to the shard's loop.
@Slf4j
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
        void stored(Errors error, long producerId, short epoch) {
            answer.complete(error == Errors.NONE
                    ? new TransactionAnswer(Errors.NONE, producerId, epoch)
                    : TransactionAnswer.refused(AppendErrors.forClient(error)));
        }

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

    /// Whether those partitions are part of that producer's transaction. That they are not is told once it is sure that nobody
    /// else owned the shard.
    CompletableFuture<Map<TopicPartition, Errors>> verify(String transactionalId, long producerId, short epoch,
            Set<TopicPartition> partitions) {
        loop.assertInLoop();
        var now = table.find(transactionalId).map(TransactionSlot::now).orElse(null);
        var answer = new CompletableFuture<Map<TopicPartition, Errors>>();
        var found = new HashMap<TopicPartition, Errors>();
        partitions.forEach(partition -> found.put(partition, TransactionMachine.verify(now, producerId, epoch,
                partition)));
        if (found.values().stream().allMatch(error -> error == Errors.NONE
                || error == Errors.CONCURRENT_TRANSACTIONS)) {
            answer.complete(found);
        } else {
            changes.confirm(lost -> {
                if (lost != Errors.NONE) {
                    found.replaceAll((_, _) -> AppendErrors.forClient(lost));
                }
                answer.complete(found);
            });
        }
        return answer;
    }

    private void attempt(Ask ask) {
        if (changes.closed()) {
            ask.refuse(Errors.NOT_COORDINATOR);
            return;
        }
        var slot = table.find(ask.transactionalId());
        if (slot.isPresent() && slot.get().changing()) {
            join(slot.get(), ask);
            return;
        }
        var now = slot.map(TransactionSlot::now).orElse(null);
        switch (TransactionMachine.decide(now, ask.event(), place.runtime().clock().millis())) {
            // To a producer in good order it would be the end, and an owner that was deposed does not know how that one stands.
            case Decision.Refuse(var error) -> changes.confirm(lost -> {
                log.debug("refused transactionalId={} error={} event={} now={}", ask.transactionalId(), error, ask
                        .event(), now);
                ask.refuse(lost == Errors.NONE ? error : AppendErrors.forClient(lost));
            });
            // An owner that was deposed would take the end of a later transaction for that of the last one it knows of.
            case Decision.Done(long producerId, short epoch) when ask.event() instanceof TransactionEvent.End ->
                changes.confirm(error -> ask.stored(error, producerId, epoch));
            case Decision.Done(long producerId, short epoch) -> ask.stored(Errors.NONE, producerId, epoch);
            case Decision.Become(var next, long producerId, short epoch) -> changes.store(ask.transactionalId(), next,
                    error -> ask.stored(error, producerId, epoch));
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

    /// Leaders add their partitions all at once: the later ones go on what the first is about to make of the transaction,
    /// and share one append. Should the first not be stored, the transaction has a partition more than it needs.
    private void join(TransactionSlot slot, Ask ask) {
        var underWay = slot.underWay();
        if (underWay != null && underWay.state() == TransactionState.ONGOING
                && ask.event() instanceof TransactionEvent.Add add && TransactionMachine.decide(underWay, add,
                        place.runtime().clock().millis()) instanceof Decision.Become(var next, long id, short epoch)) {
            changes.store(ask.transactionalId(), next, error -> ask.stored(error, id, epoch));
        } else {
            await(slot, ask);
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
