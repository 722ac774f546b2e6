package io.millrace.coordinator.shard;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.millrace.coordinator.transaction.Transaction;
import org.jspecify.annotations.Nullable;

/// A transactional id, what it waits for, and who waits for it. Changed through [TransactionTable] and
/// [TransactionShard] alone.
final class TransactionSlot {
    private static final int MAX_WAITING = 100;

    private final String transactionalId;
    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private @Nullable Transaction now;
    /// Changes on their way to the log.
    private int changes;
    private @Nullable Transaction underWay;
    private @Nullable CompletableFuture<?> markers;

    TransactionSlot(String transactionalId) {
        this.transactionalId = transactionalId;
    }

    String transactionalId() {
        return transactionalId;
    }

    /// Null before the first record of the id is stored.
    @Nullable
    Transaction now() {
        return now;
    }

    void now(Transaction next) {
        now = next;
    }

    /// Whether a change is on its way to the log.
    boolean changing() {
        return changes > 0;
    }

    /// What it becomes once all is stored that is on its way; null where nothing is, or where it goes.
    @Nullable
    Transaction underWay() {
        return underWay;
    }

    void changesTo(Transaction next) {
        changes++;
        underWay = next;
    }

    /// It is to be forgotten. Nothing must be on its way.
    void goes() {
        changes++;
    }

    /// The first change on its way is stored, or has failed.
    void changed() {
        changes--;
        if (changes == 0) {
            underWay = null;
        }
    }

    /// @param sent completes once all markers are written
    void markers(CompletableFuture<?> sent) {
        markers = sent;
    }

    void cancelMarkers() {
        if (markers != null) {
            markers.cancel(false);
        }
    }

    /// @return false where too many wait already
    boolean await(Runnable next) {
        return waiting.size() < MAX_WAITING && waiting.add(next);
    }

    void forget(Runnable waiter) {
        waiting.remove(waiter);
    }

    /// Those that wait, who do so no longer.
    List<Runnable> takeWaiting() {
        var taken = new ArrayList<>(waiting);
        waiting.clear();
        return taken;
    }
}
