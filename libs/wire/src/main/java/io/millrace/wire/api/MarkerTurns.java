package io.millrace.wire.api;

import java.util.LinkedHashMap;
import java.util.Optional;

/// Keeps out markers that were given up by whoever sent them. Any thread may call. A few numbers are kept of each of the
/// coordinators that sent some last, more of them than a cluster has.
public final class MarkerTurns {
    private static final int MOST_COORDINATORS = 1_000;

    /// The one that was silent for longest comes first.
    private final LinkedHashMap<Integer, Turn> turns = new LinkedHashMap<>(16, 0.75f, true);

    /// @param running how many threads write what that request brought
    private record Turn(MarkerStamp newest, int running) {}

    /// Runs `write`, on this thread and outside any lock, where no newer request of the same coordinator was here before.
    /// It does not run either while an older request is being written: that would come in behind this one. Without a stamp
    /// it runs in any case, as of a person's tool.
    ///
    /// @return whether it ran; else the sender is to try again
    public boolean run(Optional<MarkerStamp> stamp, Runnable write) {
        if (stamp.isPresent() && !begin(stamp.get())) {
            return false;
        }
        try {
            write.run();
        } finally {
            stamp.ifPresent(this::end);
        }
        return true;
    }

    private synchronized boolean begin(MarkerStamp stamp) {
        var turn = turns.get(stamp.coordinator());
        if (turn == null || (turn.running == 0 && turn.newest.isBefore(stamp))) {
            turns.put(stamp.coordinator(), new Turn(stamp, 1));
            if (turns.size() > MOST_COORDINATORS) {
                turns.pollFirstEntry();
            }
            return true;
        }
        if (turn.newest.equals(stamp)) {
            turns.put(stamp.coordinator(), new Turn(stamp, turn.running + 1));
            return true;
        }
        return false;
    }

    private synchronized void end(MarkerStamp stamp) {
        turns.computeIfPresent(stamp.coordinator(), (_, turn) -> new Turn(turn.newest, turn.running - 1));
    }
}
