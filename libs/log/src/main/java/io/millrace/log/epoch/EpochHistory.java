package io.millrace.log.epoch;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/// Leader epochs of a log and where each began. Immutable; epochs and start offsets both go up.
///
/// @param starts in order
public record EpochHistory(List<EpochStart> starts) {
    /// Of a log in which nobody wrote.
    public static final EpochHistory EMPTY = new EpochHistory(List.of());

    public EpochHistory {
        starts = List.copyOf(starts);
    }

    /// With `epoch` writing at `startOffset`. Nothing changes for an epoch that is known already or negative; entries that it
    /// contradicts (a higher epoch, or one that begins later) are dropped: they are of a leader that never wrote.
    public EpochHistory plus(int epoch, long startOffset) {
        if (epoch < 0 || (!starts.isEmpty() && starts.getLast().epoch() == epoch && starts.getLast()
                .startOffset() <= startOffset)) {
            return this;
        }
        var kept = new ArrayList<EpochStart>();
        for (var start : starts) {
            if (start.epoch() <= epoch && start.startOffset() < startOffset) {
                kept.add(start);
            }
        }
        if (kept.isEmpty() || kept.getLast().epoch() != epoch) {
            kept.add(new EpochStart(epoch, startOffset));
        }
        return new EpochHistory(kept);
    }

    /// After the log was cut at `endOffset`.
    public EpochHistory truncatedTo(long endOffset) {
        return new EpochHistory(starts.stream().filter(start -> start.startOffset() < endOffset).toList());
    }

    /// After everything below `startOffset` was deleted: the epoch that wrote there begins there now.
    public EpochHistory startingAt(long startOffset) {
        var kept = new ArrayList<EpochStart>();
        for (var start : starts) {
            if (start.startOffset() <= startOffset) {
                kept.clear();
                kept.add(new EpochStart(start.epoch(), startOffset));
            } else {
                kept.add(start);
            }
        }
        return kept.equals(starts) ? this : new EpochHistory(kept);
    }

    public OptionalInt latest() {
        return starts.isEmpty() ? OptionalInt.empty() : OptionalInt.of(starts.getLast().epoch());
    }

    /// The epoch that wrote `offset`; empty where none began so early.
    public OptionalInt epochOf(long offset) {
        for (int i = starts.size() - 1; i >= 0; i--) {
            if (starts.get(i).startOffset() <= offset) {
                return OptionalInt.of(starts.get(i).epoch());
            }
        }
        return OptionalInt.empty();
    }

    /// Where `epoch` ended, as Kafka answers OffsetForLeaderEpoch: the largest known epoch not above it, and the start of
    /// the next one. The newest ends at `logEndOffset`. An epoch before all known ones ended where the first began.
    public EpochEndOffset endOffsetFor(int epoch, long logEndOffset) {
        if (epoch < 0 || starts.isEmpty() || starts.getLast().epoch() < epoch) {
            return EpochEndOffset.UNDEFINED;
        }
        if (starts.getLast().epoch() == epoch) {
            return new EpochEndOffset(epoch, logEndOffset);
        }
        if (starts.getFirst().epoch() > epoch) {
            return new EpochEndOffset(epoch, starts.getFirst().startOffset());
        }
        int next = 1;
        while (starts.get(next).epoch() <= epoch) {
            next++;
        }
        return new EpochEndOffset(starts.get(next - 1).epoch(), starts.get(next).startOffset());
    }
}
