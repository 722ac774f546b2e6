package io.millrace.coordinator.shard;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

import io.millrace.base.loop.Loop;
import io.millrace.base.loop.Timeout;
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

/// Loads a shard: reads its log and goes on reading along, and once it is to be ours marks the log with the new epoch and
/// reads up to that mark. Failures are tried again until the load is cancelled; each wait is bounded. Belongs to the
/// shard's loop.
@Slf4j
final class ShardLoad {
    /// Between two looks for more at the end of the log.
    private static final Duration REST = Duration.ofMillis(50);
    /// Whoever was told that it reads along may be in office no longer.
    private static final int TOLD_EACH = 20;
    private static final long NOT_MARKED = -1;

    private final int shard;
    private final int epoch;
    private final Loop loop;
    private final ShardRuntime runtime;
    private final EncodedRecord mark;
    private final Consumer<Stored> replay;
    private final Listener listener;
    private long position;
    private long positionUnmarked;
    private long markedAt = NOT_MARKED;
    private int looksAtTheEnd;
    private boolean reading;
    private Timeout nextRead = () -> {};
    private long records;
    private int attempt;
    private boolean over;

    /// Told once how it ended, unless it was cancelled.
    interface Listener {
        /// All that the log said at some moment was replayed. What comes later is too, and it is told again about once a
        /// second, until the load ends.
        void caughtUp();

        /// All that the log says was replayed, and nobody else can add to it.
        void loaded(long records);

        /// A newer owner has appended.
        void fenced();

        /// What was replayed is in the log no longer: it must be loaded anew.
        void astray();
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

    /// Begins to read, and reads along from then on.
    void follow() {
        read();
    }

    /// Marks the log, so that reading comes to an end.
    void take() {
        positionUnmarked = position;
        mark();
    }

    private void mark() {
        runtime.storage().append(shard, epoch, ShardBatch.plain(List.of(mark)))
                .whenComplete((offset, failure) -> loop.execute(() -> marked(offset, failure)));
    }

    void cancel() {
        loop.assertInLoop();
        over = true;
        nextRead.cancel();
    }

    private void marked(@Nullable Long offset, @Nullable Throwable failure) {
        if (over) {
            return;
        }
        if (offset != null) {
            markedAt = offset;
            if (positionUnmarked > markedAt) {
                cancel();
                listener.astray();
            } else if (!endedAtTheMark() && !reading) {
                nextRead.cancel();
                read();
            }
        } else if (failure != null && Failures.errorOf(failure) == Errors.FENCED_LEADER_EPOCH) {
            cancel();
            listener.fenced();
        } else {
            again("mark", failure, this::mark);
        }
    }

    private void read() {
        reading = true;
        runtime.storage().read(shard, position)
                .whenComplete((chunk, failure) -> loop.execute(() -> arrived(chunk, failure)));
    }

    private void arrived(ShardStorage.@Nullable Chunk chunk, @Nullable Throwable failure) {
        if (over) {
            return;
        }
        if (chunk == null) {
            again("read offset=" + position, failure, this::read);
            return;
        }
        attempt = 0;
        reading = false;
        boolean more = chunk.nextOffset() > position;
        chunk.records().forEach(this::replay);
        position = chunk.nextOffset();
        if (endedAtTheMark()) {
            return;
        }
        if (position >= chunk.end() && looksAtTheEnd++ % TOLD_EACH == 0) {
            listener.caughtUp();
        }
        if (more && position < chunk.end()) {
            read();
        } else {
            nextRead = loop.schedule(REST, this::read);
        }
    }

    private boolean endedAtTheMark() {
        if (markedAt == NOT_MARKED || position <= markedAt) {
            return false;
        }
        cancel();
        listener.loaded(records);
        return true;
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
            if (!over) {
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
