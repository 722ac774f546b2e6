package io.millrace.admin.operation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.millrace.admin.operation.Errand.LogMoves;
import io.millrace.admin.operation.Errand.LogPlace;
import io.millrace.metadata.image.ClusterImage;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/// Moves that belong together, as they are kept. Changed by [#next] alone, and by what people ask for. **pure**
///
/// @param subject broker that it is about, of a drain and the like; null of any other
/// @param createdBy who asked for it
/// @param createdAt milliseconds since 1970
/// @param throttle bytes a second that each broker copies; null: as fast as it goes
/// @param maxPartitionsPerBroker copies that a broker takes at a time
/// @param cancelling whether it is being called off
/// @param back whether what is done goes back then
/// @param throttled whether throttles may be set for it, which have to be taken away
/// @param errand what it is about besides moves; null: moves alone
public record Operation(String id, OperationType type, State state, @Nullable Integer subject, String createdBy,
        long createdAt,
        long updatedAt, @Nullable Long throttle, int maxPartitionsPerBroker, boolean cancelling, boolean back,
        boolean throttled, List<Move> moves, @Nullable Errand errand) {

    /// How far it is.
    public enum State {
        RUNNING, PAUSED, COMPLETED, FAILED, CANCELLED;

        /// Whether nothing more comes.
        public boolean over() {
            return this != RUNNING && this != PAUSED;
        }
    }

    public Operation {
        moves = List.copyOf(moves);
    }

    /// What is asked for.
    public record Limits(@Nullable Long throttle, int maxPartitionsPerBroker) {
        /// No throttle, and as many copies at a time as Cruise Control makes.
        public static final Limits DEFAULTS = new Limits(null, 10);
    }

    /// One that begins.
    public static Operation begin(String id, OperationType type, @Nullable Integer subject, String createdBy,
            long nowMillis,
            Limits limits, List<Move> moves) {
        return new Operation(id, type, State.RUNNING, subject, createdBy, nowMillis, nowMillis, limits.throttle,
                limits.maxPartitionsPerBroker, false, false, limits.throttle != null, moves, null);
    }

    /// One that is about something else than moves.
    public static Operation begin(String id, OperationType type, @Nullable Integer subject, String createdBy,
            long nowMillis, Limits limits, Errand errand) {
        return begin(id, type, subject, createdBy, nowMillis, limits, List.of()).with(errand);
    }

    /// The same, that far.
    Operation with(Errand next) {
        return new Operation(id, type, state, subject, createdBy, createdAt, updatedAt, throttle,
                maxPartitionsPerBroker, cancelling, back, throttled, moves, next);
    }

    /// The same in that state: paused, or running again.
    public Operation in(State next) {
        return new Operation(id, type, next, subject, createdBy, createdAt, updatedAt, throttle, maxPartitionsPerBroker,
                cancelling, back, throttled || next == State.PAUSED, moves, errand);
    }

    /// The same with another throttle; null: none.
    public Operation throttledTo(@Nullable Long bytesPerSecond) {
        return new Operation(id, type, state, subject, createdBy, createdAt, updatedAt, bytesPerSecond,
                maxPartitionsPerBroker, cancelling, back, throttled || bytesPerSecond != null, moves, errand);
    }

    /// The same, called off.
    ///
    /// @param rollback whether what is done goes back
    public Operation cancel(boolean rollback) {
        return new Operation(id, type, State.RUNNING, subject, createdBy, createdAt, updatedAt, throttle,
                maxPartitionsPerBroker, true, rollback, throttled, moves, errand instanceof LogMoves logs && rollback
                        ? logs.returning()
                        : errand);
    }

    Operation with(List<Move> next) {
        return new Operation(id, type, state, subject, createdBy, createdAt, updatedAt, throttle,
                maxPartitionsPerBroker, cancelling, back, throttled, next, errand);
    }

    Operation at(long nowMillis) {
        return new Operation(id, type, state, subject, createdBy, createdAt, nowMillis, throttle,
                maxPartitionsPerBroker, cancelling, back, throttled, moves, errand);
    }

    /// Whether all of its moves are over.
    public boolean settled() {
        return moves.stream().allMatch(move -> move.state().over()) && (errand == null || errand.done());
    }

    /// [#next] of what is about something else than moves.
    ///
    /// @param logs where logs lie, of the broker that it is about
    Operation next(ClusterImage image, Map<TopicPartition, LogPlace> logs, boolean clean) {
        if (errand == null || state.over()) {
            return next(image, clean);
        }
        var next = errand.next(image, logs);
        return (next.equals(errand) ? this : with(next)).next(image, clean);
    }

    /// Where it is by the metadata: moves that may begin do, those that have arrived are done. It is over once all of them are, and
    /// its throttles are gone.
    ///
    /// @param clean whether no throttle of its is left
    Operation next(ClusterImage image, boolean clean) {
        if (state.over()) {
            return this;
        }
        var copies = new HashMap<Integer, Integer>();
        moves.stream().filter(move -> move.state().underWay()).forEach(move -> count(move, copies));
        var next = new ArrayList<Move>(moves.size());
        for (var move : moves) {
            boolean mayBegin = state == State.RUNNING && move.adding().stream().allMatch(broker -> copies.getOrDefault(
                    broker, 0) < maxPartitionsPerBroker);
            var after = move.next(image, mayBegin, cancelling, back);
            if (move.state() == Move.State.QUEUED && after.state() == Move.State.BEGINNING) {
                count(after, copies);
            }
            next.add(after);
        }
        var moved = with(next);
        return moved.settled() && (clean || !throttled) ? moved.ended() : moved;
    }

    private static void count(Move move, Map<Integer, Integer> copies) {
        move.adding().forEach(broker -> copies.merge(broker, 1, Integer::sum));
    }

    private Operation ended() {
        var end = cancelling
                ? State.CANCELLED
                : moves.stream().anyMatch(move -> move.state() == Move.State.FAILED) || (errand != null && errand
                        .error() != null)
                                ? State.FAILED
                                : State.COMPLETED;
        return new Operation(id, type, end, subject, createdBy, createdAt, updatedAt, throttle, maxPartitionsPerBroker,
                cancelling, back, throttled, moves, errand);
    }

    /// The same after the controller refused a move.
    Operation refused(Move which, String why) {
        return with(moves.stream().map(move -> move.equals(which) ? move.failed(why) : move).toList());
    }
}
