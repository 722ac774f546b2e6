package io.millrace.coordinator.shard;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.millrace.coordinator.record.TransactionRecord;
import io.millrace.coordinator.record.TransactionRecord.TransactionPut;
import io.millrace.coordinator.record.TransactionRecord.TransactionRemoved;
import io.millrace.coordinator.transaction.Transaction;

/// The transactional ids of one shard. Belongs to the shard's loop.
final class TransactionTable {
    private final Map<String, TransactionSlot> slots = new HashMap<>();
    private final TransactionMetrics metrics;

    TransactionTable(TransactionMetrics metrics) {
        this.metrics = metrics;
    }

    Optional<TransactionSlot> find(String transactionalId) {
        return Optional.ofNullable(slots.get(transactionalId));
    }

    TransactionSlot findOrCreate(String transactionalId) {
        return slots.computeIfAbsent(transactionalId, TransactionSlot::new);
    }

    /// A copy, so that the caller may change the table while it goes through it.
    Collection<TransactionSlot> all() {
        return List.copyOf(slots.values());
    }

    void become(TransactionSlot slot, Transaction next) {
        var before = slot.now();
        if (before != null) {
            metrics.ids(before.state(), -1);
        }
        metrics.ids(next.state(), 1);
        slot.now(next);
    }

    void remove(TransactionSlot slot) {
        if (slots.remove(slot.transactionalId(), slot)) {
            var last = slot.now();
            if (last != null) {
                metrics.ids(last.state(), -1);
            }
        }
    }

    /// Takes over a record that is in the log.
    void replay(TransactionRecord record) {
        switch (record) {
            case TransactionPut(var id, var value) -> become(findOrCreate(id), Transaction.restored(value));
            case TransactionRemoved(var id) -> find(id).ifPresent(this::remove);
        }
    }

    void clear() {
        all().forEach(this::remove);
    }
}
