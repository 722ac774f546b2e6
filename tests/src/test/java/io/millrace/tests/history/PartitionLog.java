package io.millrace.tests.history;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

/// What a partition holds, by offset, by mark and by writer.
final class PartitionLog {

    private final NavigableMap<Long, Stored> byOffset = new TreeMap<>();
    private final Map<Mark, Long> firstOffsets = new HashMap<>();
    private final Map<String, List<Stored>> byWriter = new HashMap<>();

    PartitionLog(List<Stored> records) {
        for (Stored it : records) {
            byOffset.put(it.offset(), it);
            firstOffsets.merge(it.mark(), it.offset(), Math::min);
        }
        byOffset.values().forEach(
                it -> byWriter.computeIfAbsent(it.mark().writer(), _ -> new ArrayList<>()).add(it));
    }

    boolean contains(Mark mark) {
        return firstOffsets.containsKey(mark);
    }

    @Nullable
    Mark at(long offset) {
        Stored stored = byOffset.get(offset);
        return stored == null ? null : stored.mark();
    }

    /// Whether nothing before it has the same mark.
    boolean isFirst(Stored record) {
        return Long.valueOf(record.offset()).equals(firstOffsets.get(record.mark()));
    }

    /// The writer's records, in the order of offsets.
    List<Stored> of(String writer) {
        return byWriter.getOrDefault(writer, List.of());
    }

    /// What lies between two offsets, without them.
    Collection<Stored> between(long low, long high) {
        return byOffset.subMap(low, false, high, false).values();
    }
}
