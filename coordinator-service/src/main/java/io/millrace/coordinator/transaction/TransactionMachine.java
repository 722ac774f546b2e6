package io.millrace.coordinator.transaction;

import io.millrace.coordinator.record.TransactionState;
import io.millrace.coordinator.transaction.Decision.Become;
import io.millrace.coordinator.transaction.Decision.BecomeFirst;
import io.millrace.coordinator.transaction.Decision.Done;
import io.millrace.coordinator.transaction.Decision.NeedId;
import io.millrace.coordinator.transaction.Decision.Refuse;
import io.millrace.coordinator.transaction.Decision.Wait;
import io.millrace.coordinator.transaction.TransactionEvent.Add;
import io.millrace.coordinator.transaction.TransactionEvent.End;
import io.millrace.coordinator.transaction.TransactionEvent.Init;
import io.millrace.coordinator.transaction.TransactionEvent.MarkersWritten;
import io.millrace.coordinator.transaction.TransactionEvent.Tick;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/// What each event makes of a transactional id that has no change under way. By Kafka's rules (4.4), with one addition: a
/// producer that names an epoch it no longer has does not end the transaction of the one that has it. A producer of version 2
/// is given what its next transaction has before the markers of the last one are written, and may come with that meanwhile:
/// then it has to wait (KAFKA-18464). The last epoch of all is given to nobody (KAFKA-20090).
public final class TransactionMachine {
    private TransactionMachine() {}

    /// @param now null for an id that is not known
    /// @param nowMillis wall time
    public static Decision decide(@Nullable Transaction now, TransactionEvent event, long nowMillis) {
        if (now == null) {
            return unknown(event, nowMillis);
        }
        return switch (event) {
            case Init init -> init(now, init, nowMillis);
            case Add add -> add(now, add, nowMillis);
            case End end -> end(now, end, nowMillis);
            case Tick() -> tick(now, nowMillis);
            case MarkersWritten() -> now.state().isPrepared() ? become(now.completed(nowMillis)) : done(now);
        };
    }

    private static Decision unknown(TransactionEvent event, long nowMillis) {
        return switch (event) {
            case Init init when init.freshId() == Transaction.NO_ID -> new NeedId();
            case Init init -> become(Transaction.fresh(init.freshId(), init.timeoutMillis(), nowMillis));
            case Add _,End _,Tick _,MarkersWritten _ -> new Refuse(Errors.INVALID_PRODUCER_ID_MAPPING);
        };
    }

    private static Decision init(Transaction now, Init init, long nowMillis) {
        if (init.expects() && !init.names(now)) {
            return new Refuse(Errors.PRODUCER_FENCED);
        }
        return switch (now.state()) {
            case PREPARE_COMMIT, PREPARE_ABORT -> new Wait();
            case ONGOING -> {
                if (!init.expects()) {
                    yield new BecomeFirst(now.fenced(Transaction.NO_EPOCH, nowMillis));
                }
                yield init.expectedEpoch() == now.epoch()
                        ? new BecomeFirst(now.fenced(now.epoch(), nowMillis))
                        : new Refuse(Errors.PRODUCER_FENCED);
            }
            case EMPTY, COMPLETE_COMMIT, COMPLETE_ABORT, DEAD, PREPARE_EPOCH_FENCE -> begin(now, init, nowMillis);
        };
    }

    private static Decision begin(Transaction now, Init init, long nowMillis) {
        int timeout = init.timeoutMillis();
        boolean again = init.expects() && init.expectedEpoch() != now.epoch();
        if (again && init.expectedEpoch() != now.lastEpoch()) {
            return new Refuse(Errors.PRODUCER_FENCED);
        }
        if (again && !now.onlyFences()) {
            // Asked again, since the answer was lost: it gets what it was given then.
            return become(now.initialized(now.epoch(), now.lastEpoch(), timeout, nowMillis));
        }
        short last = init.expects() ? init.expectedEpoch() : Transaction.NO_EPOCH;
        if (!now.epochExhausted()) {
            return become(now.initialized((short) (now.epoch() + 1), last, timeout, nowMillis));
        }
        return init.freshId() == Transaction.NO_ID
                ? new NeedId()
                : become(now.rotated(init.freshId(), last, timeout, nowMillis));
    }

    private static Decision add(Transaction now, Add add, long nowMillis) {
        if (now.isNext(add.producerId(), add.epoch())) {
            return new Wait();
        }
        if (add.producerId() != now.producerId()) {
            return new Refuse(Errors.INVALID_PRODUCER_ID_MAPPING);
        }
        if (add.epoch() != now.epoch() || now.onlyFences()) {
            return new Refuse(Errors.PRODUCER_FENCED);
        }
        return switch (now.state()) {
            case PREPARE_COMMIT, PREPARE_ABORT -> new Wait();
            case ONGOING -> now.partitions().containsAll(add.partitions())
                    ? done(now)
                    : become(now.with(add.partitions(), add.version(), nowMillis));
            case EMPTY, COMPLETE_COMMIT, COMPLETE_ABORT, DEAD, PREPARE_EPOCH_FENCE ->
                become(now.with(add.partitions(), add.version(), nowMillis));
        };
    }

    /// Whether that partition belongs to that producer's transaction, which is asked before a leader takes its records.
    ///
    /// @param now null for an id that is not known
    public static Errors verify(@Nullable Transaction now, long producerId, short epoch, TopicPartition partition) {
        if (now != null && now.isNext(producerId, epoch)) {
            return Errors.CONCURRENT_TRANSACTIONS;
        }
        if (now == null || now.producerId() != producerId) {
            return Errors.INVALID_PRODUCER_ID_MAPPING;
        }
        if (now.epoch() != epoch || now.onlyFences()) {
            return Errors.PRODUCER_FENCED;
        }
        if (now.state().isPrepared()) {
            return Errors.CONCURRENT_TRANSACTIONS;
        }
        return now.partitions().contains(partition) ? Errors.NONE : Errors.TRANSACTION_ABORTABLE;
    }

    private static Decision end(Transaction now, End end, long nowMillis) {
        if (now.isNext(end.producerId(), end.epoch())) {
            return new Wait();
        }
        boolean afterBump = now.bumps() && now.epoch() == end.epoch() + 1;
        boolean afterRotation = now.stored().previousProducerId() == end.producerId()
                && end.epoch() == Transaction.LAST_GIVEN_EPOCH && now.epoch() == 0;
        if (end.producerId() != now.producerId() && !afterRotation) {
            return new Refuse(Errors.INVALID_PRODUCER_ID_MAPPING);
        }
        boolean same = end.producerId() == now.producerId() && end.epoch() == now.epoch() && !now.onlyFences();
        boolean repeated = end.bumps() && (afterBump || afterRotation);
        return switch (now.state()) {
            case ONGOING -> same ? prepare(now, end, nowMillis) : new Refuse(Errors.PRODUCER_FENCED);
            case PREPARE_COMMIT, PREPARE_ABORT -> {
                if (end.bumps() && same) {
                    yield new Wait();
                }
                if (end.bumps() ? !afterBump : !same) {
                    yield new Refuse(Errors.PRODUCER_FENCED);
                }
                yield now.state() == prepared(end) ? new Wait() : otherwise(now, end);
            }
            case COMPLETE_COMMIT, COMPLETE_ABORT -> {
                if (!same && !repeated) {
                    yield new Refuse(Errors.PRODUCER_FENCED);
                }
                yield ended(now, end, repeated, nowMillis);
            }
            case EMPTY, DEAD, PREPARE_EPOCH_FENCE -> {
                if (!same) {
                    yield new Refuse(Errors.PRODUCER_FENCED);
                }
                yield abortOfNothing(end) ? prepare(now, end, nowMillis) : new Refuse(Errors.INVALID_TXN_STATE);
            }
        };
    }

    /// The end of a transaction that is over: the same request again, or one without a transaction.
    private static Decision ended(Transaction now, End end, boolean repeated, long nowMillis) {
        boolean asAsked = (now.state() == TransactionState.COMPLETE_COMMIT) == end.commit();
        if (repeated && asAsked && now.onlyFences()) {
            // Aborted by the coordinator under the last epoch: its producer goes on under another id.
            return end.freshId() == Transaction.NO_ID ? new NeedId() : become(now.reborn(end.freshId(), nowMillis));
        }
        if (repeated || !end.bumps()) {
            return asAsked ? done(now) : otherwise(now, end);
        }
        return abortOfNothing(end) ? prepare(now, end, nowMillis) : new Refuse(Errors.INVALID_TXN_STATE);
    }

    /// It has ended, or is ending, the other way. Where the coordinator aborted it, a commit comes too late, which is what a
    /// fenced producer is told; a producer that contradicts itself has a fault.
    private static Decision otherwise(Transaction now, End end) {
        boolean own = !end.bumps() || now.lastEpoch() == end.epoch();
        return new Refuse(own || !end.commit() ? Errors.INVALID_TXN_STATE : Errors.PRODUCER_FENCED);
    }

    /// A producer of version 2 may have sent records whose partition was not added, and so aborts to be sure.
    private static boolean abortOfNothing(End end) {
        return end.bumps() && !end.commit();
    }

    private static Decision prepare(Transaction now, End end, long nowMillis) {
        boolean rotates = end.bumps() && now.epochExhausted();
        if (rotates && end.freshId() == Transaction.NO_ID) {
            return new NeedId();
        }
        var prepared = now.prepared(end.commit(), end.version(), rotates ? end.freshId() : Transaction.NO_ID,
                nowMillis);
        var completed = prepared.completed(nowMillis);
        var next = prepared.partitions().isEmpty() ? completed : prepared;
        return new Become(next, completed.producerId(), completed.epoch());
    }

    private static TransactionState prepared(End end) {
        return end.commit()
                ? TransactionState.PREPARE_COMMIT
                : TransactionState.PREPARE_ABORT;
    }

    private static Decision tick(Transaction now, long nowMillis) {
        boolean late = now.state() == TransactionState.ONGOING
                && now.stored().startedMillis() + now.stored().timeoutMillis() < nowMillis;
        return late ? become(now.fenced(Transaction.NO_EPOCH, nowMillis)) : done(now);
    }

    /// Whether nobody used the id for so long that it may be forgotten.
    ///
    /// @param expirationMillis `transactional.id.expiration.ms`
    public static boolean expired(Transaction now, long expirationMillis, long nowMillis) {
        return switch (now.state()) {
            case EMPTY, COMPLETE_COMMIT, COMPLETE_ABORT -> now.stored().updatedMillis() + expirationMillis <= nowMillis;
            case ONGOING, PREPARE_COMMIT, PREPARE_ABORT, DEAD, PREPARE_EPOCH_FENCE -> false;
        };
    }

    private static Decision done(Transaction now) {
        return new Done(now.producerId(), now.epoch());
    }

    private static Decision become(Transaction next) {
        return new Become(next, next.producerId(), next.epoch());
    }
}
