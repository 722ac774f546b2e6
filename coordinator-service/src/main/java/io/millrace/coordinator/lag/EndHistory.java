package io.millrace.coordinator.lag;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;

import io.millrace.coordinator.lag.CommittedAt.PartitionName;
import org.jspecify.annotations.Nullable;

/// Where partitions ended when, as far as the last rounds saw: tells how old the next record is that a group has not read,
/// by the straight line between two rounds. Belongs to the rounds' loop.
final class EndHistory {
    /// Rounds that are kept of each partition: of fifteen seconds, a quarter of an hour.
    private static final int MOST = 60;

    private final Map<PartitionName, Deque<Seen>> seen = new HashMap<>();

    private record Seen(long atMillis, long end) {}

    /// A round has found these ends. Partitions that are not among them are forgotten.
    void add(long nowMillis, Map<PartitionName, Long> ends) {
        seen.keySet().retainAll(ends.keySet());
        ends.forEach((partition, end) -> {
            var known = seen.computeIfAbsent(partition, _ -> new ArrayDeque<>());
            if (!known.isEmpty() && known.getLast().end() > end) {
                known.clear(); // made anew under the same name
            }
            known.add(new Seen(nowMillis, end));
            if (known.size() > MOST) {
                known.remove();
            }
        });
    }

    /// Seconds since about the moment when the record at `offset` was written; 0 where there is none yet. Empty where that
    /// was before all that is known, and the partition has not moved since, so that nothing can be guessed.
    OptionalDouble age(PartitionName partition, long offset, long nowMillis) {
        var known = seen.getOrDefault(partition, new ArrayDeque<>());
        if (known.isEmpty()) {
            return OptionalDouble.empty();
        }
        if (offset >= known.getLast().end()) {
            return OptionalDouble.of(0);
        }
        @Nullable
        Seen before = null;
        for (var at : known) {
            if (at.end() > offset) {
                return before == null
                        ? guessed(at, known.getLast(), offset, nowMillis)
                        : OptionalDouble.of(seconds(nowMillis - between(before, at, offset)));
            }
            before = at;
        }
        return OptionalDouble.empty();
    }

    /// Before the first that is known: as if it had been written as fast as what came since.
    private static OptionalDouble guessed(Seen first, Seen last, long offset, long nowMillis) {
        return last.end() == first.end()
                ? OptionalDouble.empty()
                : OptionalDouble.of(seconds(nowMillis - Math.max(0, between(first, last, offset))));
    }

    private static long between(Seen one, Seen other, long offset) {
        double part = (double) (offset - one.end()) / (other.end() - one.end());
        return one.atMillis() + (long) (part * (other.atMillis() - one.atMillis()));
    }

    private static double seconds(long millis) {
        return Math.max(0, millis) / (double) Duration.ofSeconds(1).toMillis();
    }
}
