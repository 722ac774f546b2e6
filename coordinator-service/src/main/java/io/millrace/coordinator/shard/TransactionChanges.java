package io.millrace.coordinator.shard;

import java.time.Duration;
import java.util.List;
import java.util.Set;

import io.millrace.coordinator.marker.EndedTransaction;
import io.millrace.coordinator.record.TransactionRecord;
import io.millrace.coordinator.record.TransactionRecord.TransactionPut;
import io.millrace.coordinator.record.TransactionRecord.TransactionRemoved;
import io.millrace.coordinator.record.TransactionState;
import io.millrace.coordinator.transaction.Decision;
import io.millrace.coordinator.transaction.Transaction;
import io.millrace.coordinator.transaction.TransactionEvent;
import io.millrace.coordinator.transaction.TransactionMachine;
import io.millrace.wire.error.Failures;
import lombok.extern.slf4j.Slf4j;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.Errors;

/// The one way in which a transactional id changes: its record, then the state, then what follows from it. Belongs to the
/// shard's loop.
@Slf4j
final class TransactionChanges {
    private static final Duration CONFIRM_AGAIN = Duration.ofSeconds(1);

    private final ShardPlace place;
    private final TransactionShard.Outside outside;
    private final TransactionTable table;
    private final AppendQueue<TransactionRecord> appends;
    private boolean closed;

    TransactionChanges(ShardPlace place, TransactionShard.Outside outside, TransactionTable table,
            AppendQueue<TransactionRecord> appends) {
        this.place = place;
        this.outside = outside;
        this.table = table;
        this.appends = appends;
    }

    /// The shard goes elsewhere: its new owner sends the markers.
    void close() {
        closed = true;
        var slots = table.all();
        table.clear();
        slots.forEach(TransactionSlot::cancelMarkers);
        slots.forEach(slot -> slot.takeWaiting().forEach(Runnable::run));
    }

    boolean closed() {
        return closed;
    }

    /// The id becomes `next` once that is stored. Where it is changing already, `next` was made of what it is to become.
    void store(String transactionalId, Transaction next, AppendQueue.Outcome outcome) {
        var slot = table.findOrCreate(transactionalId);
        slot.changesTo(next);
        appends.append(List.of(new TransactionPut(transactionalId, next.stored())), error -> {
            slot.changed();
            if (error == Errors.NONE) {
                table.become(slot, next);
                log.debug("transactionalId={} state={} producerId={} epoch={}", transactionalId, next.state().label(),
                        next.producerId(), next.epoch());
                sendMarkers(slot);
            } else if (slot.now() == null) {
                table.remove(slot);
            }
            outcome.settled(error);
            runWaiting(slot);
        });
    }

    private static void runWaiting(TransactionSlot slot) {
        if (!slot.changing()) {
            slot.takeWaiting().forEach(Runnable::run);
        }
    }

    /// Tells `NONE` once it is sure that nobody else owned the shard when this was called.
    void confirm(AppendQueue.Outcome outcome) {
        appends.confirm(TransactionShard.MARK, outcome);
    }

    /// Where the end of the transaction is decided and not yet known everywhere: sends markers until it is.
    void sendMarkers(TransactionSlot slot) {
        var prepared = slot.now();
        if (prepared == null || !prepared.state().isPrepared()) {
            return;
        }
        var sent = outside.markers().write(new EndedTransaction(slot.transactionalId(), prepared.producerId(),
                prepared.epoch(), prepared.state() == TransactionState.PREPARE_COMMIT, place.epoch(),
                prepared.stored().clientVersion(), prepared.partitions()));
        slot.markers(sent);
        sent.whenComplete((refused, failure) -> place.loop().execute(() -> {
            if (closed || !prepared.equals(slot.now())) {
                return;
            }
            if (failure != null) {
                log.error("markers given up transactionalId={} producerId={} epoch={} reason=\"{}\"", slot
                        .transactionalId(), prepared.producerId(), prepared.epoch(), Failures.cause(failure)
                                .toString());
            } else if (refused.isEmpty()) {
                complete(slot, prepared);
            } else {
                completeDespite(refused, slot, prepared);
            }
        }));
    }

    /// Some partitions have markers of a later coordinator's epoch. Where there is one, it has the word. Where this is still the
    /// owner, somebody ended the transaction there by hand, in the name of one that is to come: it is over there.
    private void completeDespite(Set<TopicPartition> refused, TransactionSlot slot, Transaction prepared) {
        confirm(error -> {
            if (closed || !prepared.equals(slot.now())) {
                return;
            }
            if (error == Errors.NONE) {
                log.error(
                        "ended by other hands transactionalId={} producerId={} epoch={} coordinatorEpoch={} partitions={}",
                        slot.transactionalId(), prepared.producerId(), prepared.epoch(), place.epoch(), refused);
                complete(slot, prepared);
            } else if (AppendErrors.forClient(error) != Errors.NOT_COORDINATOR) {
                place.loop().schedule(CONFIRM_AGAIN, () -> {
                    if (!closed && prepared.equals(slot.now())) {
                        completeDespite(refused, slot, prepared);
                    }
                });
            }
        });
    }

    private void complete(TransactionSlot slot, Transaction prepared) {
        if (TransactionMachine.decide(prepared, new TransactionEvent.MarkersWritten(),
                place.runtime().clock().millis()) instanceof Decision.Become(var completed, _, _)) {
            outside.metrics().ended(completed.state() == TransactionState.COMPLETE_COMMIT);
            table.become(slot, completed);
            appends.appendBehind(List.of(new TransactionPut(slot.transactionalId(), completed.stored())), error -> {
                if (error != Errors.NONE && error != Errors.NOT_COORDINATOR) {
                    log.warn("completion not stored transactionalId={} error={}", slot.transactionalId(), error);
                }
            });
            slot.takeWaiting().forEach(Runnable::run);
        }
    }

    /// The id expired.
    void remove(TransactionSlot slot) {
        slot.goes();
        appends.append(List.of(new TransactionRemoved(slot.transactionalId())), error -> {
            slot.changed();
            if (error == Errors.NONE) {
                table.remove(slot);
                outside.metrics().expired();
            }
            log.debug("expired transactionalId={} error={}", slot.transactionalId(), error);
            runWaiting(slot);
        });
    }
}
