package io.millrace.coordinator.shard;

import java.util.List;
import java.util.function.Consumer;

import io.millrace.base.loop.Loop;
import io.millrace.coordinator.record.EncodedRecord;
import io.millrace.coordinator.record.MalformedRecord;
import io.millrace.coordinator.storage.ShardBatch;
import io.millrace.coordinator.storage.ShardStorage;
import io.millrace.coordinator.storage.Stored;
import io.millrace.wire.error.Failures;
import io.millrace.wire.error.Refused;
import lombok.extern.slf4j.Slf4j;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/// Loads a shard: marks its log with the new epoch, then reads up to that mark. Failures are tried again until the load
/// is cancelled; each wait is bounded. Belongs to the shard's loop.
@Slf4j
final class ShardLoad {
    private final int shard;
    private final int epoch;
    private final Loop loop;
    private final ShardRuntime runtime;
    private final EncodedRecord mark;
    private final Consumer<Stored> replay;
    private final Listener listener;
    private long markedAt;
    private long records;
    private int attempt;
    private boolean cancelled;

    /// Told once how it ended, unless it was cancelled.
    interface Listener {
        /// All that the log says was replayed.
        void loaded(long records);

        /// A newer owner has appended.
        void fenced();
    }

    /// @param mark see the package's description
    /// @param replay takes each entry of the log, in order
    ShardLoad(ShardPlace place, EncodedRecord mark, Consumer<Stored> replay, Listener listener) {
        shard = place.shard();
        epoch = place.epoch();
        loop = place.loop();
        runtime = place.runtime();
        this.mark = mark;
        this.replay = replay;
        this.listener = listener;
    }

    void start() {
        runtime.storage().append(shard, epoch, ShardBatch.plain(List.of(mark)))
                .whenComplete((offset, failure) -> loop.execute(() -> marked(offset, failure)));
    }

    void cancel() {
        loop.assertInLoop();
        cancelled = true;
    }

    private void marked(@Nullable Long offset, @Nullable Throwable failure) {
        if (cancelled) {
            return;
        }
        if (offset != null) {
            markedAt = offset;
            attempt = 0;
            read(0);
        } else if (failure != null && Failures.errorOf(failure) == Errors.FENCED_LEADER_EPOCH) {
            listener.fenced();
        } else {
            again("mark", failure, this::start);
        }
    }

    private void read(long offset) {
        runtime.storage().read(shard, offset)
                .whenComplete((chunk, failure) -> loop.execute(() -> arrived(offset, chunk, failure)));
    }

    private void arrived(long offset, ShardStorage.@Nullable Chunk chunk, @Nullable Throwable failure) {
        if (cancelled) {
            return;
        }
        if (chunk == null) {
            again("read offset=" + offset, failure, () -> read(offset));
            return;
        }
        attempt = 0;
        chunk.records().forEach(this::replay);
        if (chunk.nextOffset() > markedAt) {
            listener.loaded(records);
        } else {
            read(chunk.nextOffset());
        }
    }

    private void replay(Stored entry) {
        records++;
        try {
            replay.accept(entry);
        } catch (MalformedRecord malformed) {
            // One bad record must not take all the rest of the shard away from its clients.
            runtime.metrics().malformed();
            log.error("record passed over shard={} offset={} reason=\"{}\"", shard, entry.offset(),
                    malformed.getMessage());
        }
    }

    private void again(String what, @Nullable Throwable failure, Runnable step) {
        var wait = runtime.loadRetry().delay(attempt++, runtime.random());
        // Once for each load: there are many shards, and what they wait for may be away for long.
        log.atLevel(attempt == 1 ? Level.WARN : Level.DEBUG)
                .log("load delayed shard={} epoch={} step={} attempt={} waitMillis={} reason=\"{}\"", shard, epoch,
                        what,
                        attempt, wait.toMillis(), reason(failure));
        loop.schedule(wait, () -> {
            if (!cancelled) {
                step.run();
            }
        });
    }

    private static String reason(@Nullable Throwable failure) {
        if (failure == null) {
            return "none";
        }
        return Failures.cause(failure) instanceof Refused refused
                ? refused.error() + " " + refused.getMessage()
                : Failures.cause(failure).toString();
    }
}
