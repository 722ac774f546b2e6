package io.millrace.coordinator.shard;

import java.time.Duration;
import java.util.OptionalLong;

import io.millrace.base.loop.Loop;
import io.millrace.base.loop.Timeout;
import io.millrace.coordinator.record.TransactionState;
import io.millrace.coordinator.transaction.Decision;
import io.millrace.coordinator.transaction.TransactionEvent;
import io.millrace.coordinator.transaction.TransactionMachine;
import lombok.extern.slf4j.Slf4j;
import org.apache.kafka.common.protocol.Errors;

/// Aborts what takes too long, and lets ids go that nobody uses. Belongs to the shard's loop.
@Slf4j
final class TransactionUpkeep {
    private final ShardPlace place;
    private final Loop loop;
    private final TransactionSettings settings;
    private final TransactionMetrics metrics;
    private final TransactionTable table;
    private final TransactionChanges changes;
    private Timeout nextAbort = () -> {};
    private Timeout nextExpiry = () -> {};

    TransactionUpkeep(ShardPlace place, TransactionSettings settings, TransactionMetrics metrics,
            TransactionTable table, TransactionChanges changes) {
        this.place = place;
        this.settings = settings;
        this.metrics = metrics;
        this.table = table;
        this.changes = changes;
        loop = place.loop();
    }

    void start() {
        scheduleAborts();
        scheduleExpiry();
    }

    void close() {
        metrics.oldestOpen(place.shard(), OptionalLong.empty());
        nextAbort.cancel();
        nextExpiry.cancel();
    }

    private void look() {
        metrics.oldestOpen(place.shard(), table.all().stream().map(TransactionSlot::now)
                .filter(now -> now != null && now.state() == TransactionState.ONGOING)
                .mapToLong(now -> now.stored().startedMillis()).min());
        abortLate();
    }

    private void abortLate() {
        for (var slot : table.all()) {
            var now = slot.now();
            if (now == null || slot.changing() || now.state() != TransactionState.ONGOING) {
                continue;
            }
            if (TransactionMachine.decide(now, new TransactionEvent.Tick(),
                    place.runtime().clock().millis()) instanceof Decision.Become(var next, _, _)) {
                changes.store(slot.transactionalId(), next, error -> {
                    if (error != Errors.NONE) {
                        log.debug("not timed out yet transactionalId={} error={}", slot.transactionalId(), error);
                        return;
                    }
                    metrics.timedOut();
                    log.info("timed out transactionalId={} producerId={} epoch={} partitions={}",
                            slot.transactionalId(), next.producerId(), next.epoch(), next.partitions().size());
                });
            }
        }
    }

    private void expire() {
        long nowMillis = place.runtime().clock().millis();
        for (var slot : table.all()) {
            var now = slot.now();
            if (now != null && !slot.changing()
                    && TransactionMachine.expired(now, settings.idExpiration().toMillis(), nowMillis)) {
                changes.remove(slot);
            }
        }
    }

    private void scheduleAborts() {
        nextAbort = repeat(settings.abortCheck(), this::look, this::scheduleAborts);
    }

    private void scheduleExpiry() {
        nextExpiry = repeat(settings.expiryCheck(), this::expire, this::scheduleExpiry);
    }

    private Timeout repeat(Duration after, Runnable task, Runnable next) {
        return loop.schedule(after, () -> {
            task.run();
            next.run();
        });
    }
}
