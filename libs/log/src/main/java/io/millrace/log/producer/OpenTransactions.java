package io.millrace.log.producer;

import java.util.ArrayDeque;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;

/// Which transactions of one log hold back its last stable offset: the open ones, and those whose marker is not known to be
/// replicated, since another leader may yet come without it. Not for several threads.
final class OpenTransactions {
    /// First offsets to producers.
    private final TreeMap<Long, Long> open = new TreeMap<>();
    /// In the order of their markers.
    private final ArrayDeque<Ended> ended = new ArrayDeque<>();
    private final TreeSet<Long> endedStarts = new TreeSet<>();

    private record Ended(long start, long marker) {}

    void began(long start, long producerId) {
        open.put(start, producerId);
    }

    void ended(long start, long marker) {
        open.remove(start);
        ended.addLast(new Ended(start, marker));
        endedStarts.add(start);
    }

    /// What lies below is replicated.
    void replicated(long highWatermark) {
        for (var first = ended.peekFirst(); first != null && first.marker < highWatermark; first = ended.peekFirst()) {
            endedStarts.remove(first.start);
            ended.removeFirst();
        }
    }

    /// Where the first of them begins.
    OptionalLong firstUnstable() {
        long first = Math.min(open.isEmpty() ? Long.MAX_VALUE : open.firstKey(), endedStarts.isEmpty()
                ? Long.MAX_VALUE
                : endedStarts.first());
        return first == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(first);
    }

    /// Where the first open one begins that is of another producer.
    OptionalLong firstOpenExcept(long producerId) {
        for (var each : open.entrySet()) {
            if (each.getValue() != producerId) {
                return OptionalLong.of(each.getKey());
            }
        }
        return OptionalLong.empty();
    }

    void clear() {
        open.clear();
        ended.clear();
        endedStarts.clear();
    }
}
