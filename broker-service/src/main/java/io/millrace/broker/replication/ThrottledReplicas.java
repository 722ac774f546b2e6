package io.millrace.broker.replication;

import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;

/// Which partitions of a topic are throttled on one broker: what `leader.replication.throttled.replicas` or its twin says
/// to it. **pure**
///
/// @param all whether all partitions are
/// @param partitions where not all are
record ThrottledReplicas(boolean all, Set<Integer> partitions) {
    static final ThrottledReplicas NONE = new ThrottledReplicas(false, Set.of());
    private static final Pattern PAIR = Pattern.compile("\\d{1,9}:\\d+");
    private static final ThrottledReplicas ALL = new ThrottledReplicas(true, Set.of());

    ThrottledReplicas {
        partitions = Set.copyOf(partitions);
    }

    /// @param value `*`, or `partition:broker` pairs with commas between them; what is neither is left out
    static ThrottledReplicas of(String value, int broker) {
        var suffix = ":" + broker;
        var partitions = new HashSet<Integer>();
        for (var entry : value.split(",", -1)) {
            var pair = entry.strip();
            if (pair.equals("*")) {
                return ALL;
            }
            if (PAIR.matcher(pair).matches() && pair.endsWith(suffix)) {
                partitions.add(Integer.valueOf(pair.substring(0, pair.indexOf(':'))));
            }
        }
        return partitions.isEmpty() ? NONE : new ThrottledReplicas(false, partitions);
    }

    boolean contains(int partition) {
        return all || partitions.contains(partition);
    }
}
