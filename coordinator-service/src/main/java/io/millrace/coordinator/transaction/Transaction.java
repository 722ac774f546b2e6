package io.millrace.coordinator.transaction;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

import io.millrace.coordinator.record.TransactionSnapshot;
import io.millrace.coordinator.record.TransactionState;
import org.apache.kafka.common.TopicPartition;

/// A transactional id and its present or last transaction. Immutable.
///
///     Empty ──add──► Ongoing ──end──► PrepareCommit ──markers──► CompleteCommit ─┐
///       ▲               ▲    └─end, time, fence─► PrepareAbort ──► CompleteAbort ┤
///       │               └───────────────────────add──────────────────────────────┤
///       └────────────────────────────────init────────────────────────────────────┘
///
/// @param stored what its record says
/// @param lastEpoch the epoch before this one, that a producer which repeats a request may still name; [#NO_EPOCH] for
///     none. It is not stored, as in Kafka
public record Transaction(TransactionSnapshot stored, short lastEpoch) {
    /// In place of an epoch.
    public static final short NO_EPOCH = -1;
    /// In place of a producer id.
    public static final long NO_ID = TransactionSnapshot.NONE;
    /// First transaction version that bumps the epoch at each end.
    public static final short EPOCH_BUMPS = 2;
    /// The last epoch that a producer is given; the one after it only fences.
    static final short LAST_GIVEN_EPOCH = Short.MAX_VALUE - 1;

    /// As it was read from the log.
    public static Transaction restored(TransactionSnapshot stored) {
        return new Transaction(stored, NO_EPOCH);
    }

    static Transaction fresh(long producerId, int timeoutMillis, long nowMillis) {
        return restored(new TransactionSnapshot(producerId, NO_ID, NO_ID, (short) 0, timeoutMillis,
                TransactionState.EMPTY, Set.of(), nowMillis, TransactionSnapshot.NONE, (short) 0));
    }

    /// Its state.
    public TransactionState state() {
        return stored.state();
    }

    /// The producer id in use.
    public long producerId() {
        return stored.producerId();
    }

    /// Its epoch.
    public short epoch() {
        return stored.epoch();
    }

    /// The partitions of the transaction.
    public Set<TopicPartition> partitions() {
        return stored.partitions();
    }

    /// Whether its client has the epoch bumped at each end (KIP-890).
    boolean bumps() {
        return stored.clientVersion() >= EPOCH_BUMPS;
    }

    boolean epochExhausted() {
        return stored.epoch() >= LAST_GIVEN_EPOCH;
    }

    /// Whether its epoch is the one that nobody is given.
    boolean onlyFences() {
        return stored.epoch() > LAST_GIVEN_EPOCH;
    }

    /// Whether a producer names the id that it was given for the time after this transaction, the markers of which are under way.
    boolean isNext(long producerId, short epoch) {
        return stored.nextProducerId() != NO_ID && producerId == stored.nextProducerId() && epoch == 0;
    }

    /// A producer begins under `next` epoch of the same id.
    Transaction initialized(short next, short last, int timeoutMillis, long nowMillis) {
        return new Transaction(new TransactionSnapshot(stored.producerId(), stored.previousProducerId(), NO_ID, next,
                timeoutMillis, TransactionState.EMPTY, Set.of(), nowMillis, TransactionSnapshot.NONE,
                stored.clientVersion()), last);
    }

    /// A producer begins under another id, since the epochs of this one are used up.
    Transaction rotated(long nextId, short last, int timeoutMillis, long nowMillis) {
        return new Transaction(new TransactionSnapshot(nextId, stored.producerId(), NO_ID, (short) 0, timeoutMillis,
                TransactionState.EMPTY, Set.of(), nowMillis, TransactionSnapshot.NONE, stored.clientVersion()), last);
    }

    /// Its last transaction was aborted under the last epoch of all; the producer of that one goes on under another id.
    Transaction reborn(long nextId, long nowMillis) {
        return new Transaction(new TransactionSnapshot(nextId, stored.producerId(), NO_ID, (short) 0,
                stored.timeoutMillis(), stored.state(), Set.of(), nowMillis, stored.startedMillis(),
                stored.clientVersion()), LAST_GIVEN_EPOCH);
    }

    /// With more partitions; the first ones begin a transaction.
    Transaction with(Set<TopicPartition> added, short clientVersion, long nowMillis) {
        boolean begins = stored.state() != TransactionState.ONGOING;
        var all = begins ? new LinkedHashSet<TopicPartition>() : new LinkedHashSet<>(stored.partitions());
        all.addAll(added);
        return new Transaction(new TransactionSnapshot(stored.producerId(), stored.previousProducerId(), NO_ID,
                stored.epoch(), stored.timeoutMillis(), TransactionState.ONGOING, all, nowMillis,
                begins ? nowMillis : stored.startedMillis(), clientVersion), lastEpoch);
    }

    /// Its end is decided.
    ///
    /// @param nextId of the transactions to come, where the epochs of this id are used up; else [#NO_ID]
    Transaction prepared(boolean commit, short clientVersion, long nextId, long nowMillis) {
        boolean bump = clientVersion >= EPOCH_BUMPS;
        return prepared(commit, bump ? epochAfter() : epoch(), bump ? epoch() : lastEpoch, clientVersion,
                nextId, nowMillis);
    }

    /// It is to be aborted by somebody else than its producer, which is fenced by that.
    ///
    /// @param last what a repeated request may name
    Transaction fenced(short last, long nowMillis) {
        return prepared(false, epochAfter(), last, stored.clientVersion(), NO_ID, nowMillis);
    }

    private short epochAfter() {
        return onlyFences() ? epoch() : (short) (epoch() + 1);
    }

    private Transaction prepared(boolean commit, short epoch, short last, short clientVersion, long nextId,
            long nowMillis) {
        boolean began = stored.state() == TransactionState.ONGOING;
        return new Transaction(new TransactionSnapshot(stored.producerId(), stored.previousProducerId(), nextId, epoch,
                stored.timeoutMillis(), commit ? TransactionState.PREPARE_COMMIT : TransactionState.PREPARE_ABORT,
                began ? stored.partitions() : Collections.emptySet(), nowMillis,
                began ? stored.startedMillis() : nowMillis, clientVersion), last);
    }

    /// All its markers are written.
    Transaction completed(long nowMillis) {
        boolean commit = stored.state() == TransactionState.PREPARE_COMMIT;
        boolean rotates = stored.nextProducerId() != NO_ID;
        return new Transaction(new TransactionSnapshot(rotates ? stored.nextProducerId() : stored.producerId(),
                rotates ? stored.producerId() : stored.previousProducerId(), NO_ID, rotates ? 0 : stored.epoch(),
                stored.timeoutMillis(), commit ? TransactionState.COMPLETE_COMMIT : TransactionState.COMPLETE_ABORT,
                Set.of(), nowMillis, stored.startedMillis(), stored.clientVersion()), lastEpoch);
    }
}
