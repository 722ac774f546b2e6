package io.millrace.broker.directories;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

import io.millrace.base.loop.Ticker;
import io.millrace.base.loop.Timeout;
import io.millrace.log.ClosedLogException;
import io.millrace.log.LogDirectory;
import io.millrace.log.LogMove;
import io.millrace.log.PartitionId;
import io.millrace.log.PartitionLog;
import io.millrace.log.batch.LogRefused;
import io.millrace.log.disk.Background;
import lombok.extern.slf4j.Slf4j;
import org.jspecify.annotations.Nullable;

/// The logs that are on their way to another directory of this broker. They take turns, a piece each, so that a log that
/// grows as fast as it is copied keeps no other one waiting; together they keep to
/// `replica.alter.log.dirs.io.max.bytes.per.second`.
///
/// Any thread may call. The monitor is held for one piece at a time, and while a log takes its new place: so what is deleted
/// is not brought back.
@Slf4j
final class LogMoves implements AutoCloseable {
    private static final int PIECE_BYTES = 1 << 20;
    private static final Duration LONGEST_REST = Duration.ofSeconds(1);

    private final Background background;
    private final Ticker ticker;
    private final LongSupplier bytesPerSecond;
    private final Predicate<LogDirectory> usable;
    private final Consumer<LogMove> arrived;
    private final Deque<LogMove> moves = new ArrayDeque<>();
    private @Nullable Timeout next;
    private long freeAtNanos;
    private boolean closed;

    /// @param bytesPerSecond as it is set at the moment
    /// @param usable whether a directory has not failed
    /// @param arrived told of each log that lies in its new place
    LogMoves(Background background, Ticker ticker, LongSupplier bytesPerSecond, Predicate<LogDirectory> usable,
            Consumer<LogMove> arrived) {
        this.background = background;
        this.ticker = ticker;
        this.bytesPerSecond = bytesPerSecond;
        this.usable = usable;
        this.arrived = arrived;
        this.freeAtNanos = ticker.nanos();
    }

    /// Begins to move a log, unless it is on its way there already. If it was on its way elsewhere, that one ends.
    synchronized void start(PartitionId id, PartitionLog partitionLog, LogDirectory from, LogDirectory to)
            throws IOException {
        if (closed || moves.stream().anyMatch(move -> move.id().equals(id) && move.to().equals(to))) {
            return;
        }
        cancel(id);
        moves.add(LogMove.begin(id, partitionLog, from, to));
        log.info("moving a log partition={} from={} to={} bytes={}", id, from.path(), to.path(), partitionLog
                .sizeBytes());
        if (next == null) {
            schedule(Duration.ZERO);
        }
    }

    /// It stays where it is.
    synchronized void cancel(PartitionId id) {
        for (var move : List.copyOf(moves)) {
            if (move.id().equals(id)) {
                moves.remove(move);
                discard(move);
                log.info("a log is not moved any further partition={} to={}", id, move.to().path());
            }
        }
    }

    /// Those on their way to `directory`.
    synchronized List<LogMove> into(LogDirectory directory) {
        var found = new ArrayList<LogMove>();
        for (var move : moves) {
            if (move.to().equals(directory)) {
                found.add(move);
            }
        }
        return found;
    }

    synchronized int count() {
        return moves.size();
    }

    /// The copies stay on disk, and say at the next start what was to be moved.
    @Override
    public synchronized void close() {
        closed = true;
        if (next != null) {
            next.cancel();
        }
        moves.forEach(LogMove::stop);
        moves.clear();
    }

    private void schedule(Duration delay) {
        try {
            next = background.schedule(delay, this::step);
        } catch (RejectedExecutionException _) {
            log.debug("no more moves while stopping");
        }
    }

    private synchronized void step() {
        next = null;
        long wait = freeAtNanos - ticker.nanos();
        if (wait > 0) {
            // No longer at once: the limit may be raised meanwhile.
            schedule(Duration.ofNanos(Math.min(wait, LONGEST_REST.toNanos())));
            return;
        }
        var move = moves.poll();
        if (move == null) {
            return;
        }
        if (advance(move)) {
            moves.add(move);
        }
        if (!moves.isEmpty()) {
            schedule(Duration.ZERO);
        }
    }

    /// Returns whether there is more to do.
    private boolean advance(LogMove move) {
        try {
            if (!usable.test(move.from()) || !usable.test(move.to())) {
                throw new IOException("a log directory failed");
            }
            int bytes = move.copy(piece());
            if (bytes > 0) {
                pay(bytes);
                return true;
            }
            move.finish();
            arrived.accept(move);
            log.info("moved a log partition={} directory={}", move.id(), move.log().directory());
            return false;
        } catch (LogRefused cut) {
            log.debug("a log was cut while it was copied, the copy begins anew partition={}", move.id(), cut);
            return true;
        } catch (ClosedLogException gone) {
            log.debug("a log went while it was moved partition={}", move.id(), gone);
        } catch (IOException | RuntimeException failure) {
            log.error("a log was not moved partition={} from={} to={}", move.id(), move.from().path(), move.to().path(),
                    failure);
        }
        discard(move);
        return false;
    }

    /// No more than a second's worth, so that a low limit is kept to evenly.
    private int piece() {
        return Math.clamp(bytesPerSecond.getAsLong(), 1, PIECE_BYTES);
    }

    private void pay(int bytes) {
        double seconds = bytes / (double) Math.max(1, bytesPerSecond.getAsLong());
        freeAtNanos = ticker.nanos() + (long) (seconds * Duration.ofSeconds(1).toNanos());
    }

    private static void discard(LogMove move) {
        try {
            move.cancel();
        } catch (IOException failure) {
            log.warn("the copy of a log was not deleted partition={} directory={}", move.id(), move.to().path(),
                    failure);
        }
    }
}
