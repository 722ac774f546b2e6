package io.millrace.coordinator.lag;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

import io.millrace.coordinator.lag.CommittedAt.PartitionName;

/// Subtracts what is committed from where partitions end. **pure**
final class Lags {

    /// How far behind a group is.
    ///
    /// @param lag records, never negative: a commit beyond the end is not behind
    /// @param seconds about how old the oldest record is that is not read; empty where nobody can tell
    record Lag(CommittedAt committed, long lag, OptionalDouble seconds) {}

    private Lags() {}

    /// Where nothing is committed, or nobody knows the end, there is nothing to subtract, and no lag: neither 0 nor all.
    static List<Lag> of(Collection<CommittedAt> committed, Map<PartitionName, Long> ends, EndHistory history,
            long nowMillis) {
        return committed.stream().filter(at -> ends.containsKey(at.partition()))
                .map(at -> new Lag(at, Math.max(0, ends.getOrDefault(at.partition(), 0L) - at.offset()),
                        history.age(at.partition(), at.offset(), nowMillis))).toList();
    }
}
