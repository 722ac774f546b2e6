package io.millrace.admin.operation;

import java.util.List;

import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.PartitionImage;
import org.jspecify.annotations.Nullable;

/// One partition on its way.
///
/// @param from where it was, the preferred leader first
/// @param to where it shall be
/// @param bytes that each new replica has to copy, as far as that was known
/// @param error why it failed; null where it did not
public record Move(String topic, int partition, List<Integer> from, List<Integer> to, long bytes, State state,
        @Nullable String error) {

    /// How far it is.
    ///
    ///     QUEUED ──► BEGINNING ──► COPYING ──► DONE        (a live one) ──► RETURNING ──► CANCELLED
    ///                                                       (any)       ──► FAILED
    public enum State {
        QUEUED, BEGINNING, COPYING, DONE, FAILED, RETURNING, CANCELLED;

        /// Whether the controller has been asked for it, and it is not over.
        public boolean underWay() {
            return this == BEGINNING || this == COPYING || this == RETURNING;
        }

        /// Whether nothing more comes.
        public boolean over() {
            return this == DONE || this == FAILED || this == CANCELLED;
        }
    }

    public Move {
        from = List.copyOf(from);
        to = List.copyOf(to);
    }

    /// One that waits for its turn.
    public static Move queued(String topic, int partition, List<Integer> from, List<Integer> to, long bytes) {
        return new Move(topic, partition, from, to, bytes, State.QUEUED, null);
    }

    /// The brokers that get a replica.
    public List<Integer> adding() {
        return to.stream().filter(id -> !from.contains(id)).toList();
    }

    Move in(State next) {
        return new Move(topic, partition, from, to, bytes, next, error);
    }

    Move failed(String why) {
        return new Move(topic, partition, from, to, bytes, State.FAILED, why);
    }

    /// Where it is by the metadata.
    ///
    /// @param mayBegin whether it may begin now
    /// @param cancelling whether it shall not be
    /// @param back whether one that is done goes back then
    Move next(ClusterImage image, boolean mayBegin, boolean cancelling, boolean back) {
        var found = image.partition(topic, partition);
        if (found.isEmpty()) {
            return state.over() ? this : cancelling ? in(State.CANCELLED) : failed("the partition is gone");
        }
        var now = found.get();
        return switch (state) {
            case QUEUED -> cancelling ? in(State.CANCELLED) : mayBegin ? in(State.BEGINNING) : this;
            case BEGINNING -> {
                if (cancelling) {
                    yield in(State.RETURNING);
                }
                yield isAt(now, to) ? in(State.DONE) : isToward(now, to) ? in(State.COPYING) : this;
            }
            case COPYING -> {
                if (isAt(now, to)) {
                    yield cancelling && back ? in(State.RETURNING) : in(State.DONE);
                }
                if (cancelling) {
                    yield in(State.RETURNING);
                }
                if (isToward(now, to)) {
                    yield this;
                }
                yield now.isMoving() ? failed("somebody else moves it elsewhere") : in(State.CANCELLED);
            }
            case DONE -> cancelling && back ? in(State.RETURNING) : this;
            case RETURNING -> isAt(now, from) ? in(State.CANCELLED) : this;
            case FAILED, CANCELLED -> this;
        };
    }

    private static boolean isAt(PartitionImage now, List<Integer> replicas) {
        return !now.isMoving() && now.replicas().equals(replicas);
    }

    private static boolean isToward(PartitionImage now, List<Integer> replicas) {
        return now.isMoving() && now.replicas().stream().filter(id -> !now.removing().contains(id)).toList().equals(
                replicas);
    }
}
