package io.millrace.coordinator.group.consumer;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

import io.millrace.coordinator.group.consumer.Assignor.Candidate;
import io.millrace.coordinator.group.consumer.Assignor.Task;
import io.millrace.coordinator.record.Partitions;
import org.apache.kafka.common.Uuid;

/// See [Assignor#RANGE].
final class RangeAssignment {
    private RangeAssignment() {}

    static Map<String, Partitions> assign(Task task) {
        var ranked = task.members().values().stream()
                .sorted(Comparator.comparing(Candidate::rank).thenComparing(Candidate::id)).toList();
        var shares = new HashMap<String, Map<Uuid, List<Integer>>>();
        task.partitions().forEach((topic, count) -> {
            var readers = ranked.stream().filter(member -> member.topics().contains(topic)).toList();
            int from = 0;
            for (int place = 0; place < readers.size(); place++) {
                // The first ones have one more where it does not come out even.
                int size = count / readers.size() + (place < count % readers.size() ? 1 : 0);
                shares.computeIfAbsent(readers.get(place).id(), _ -> new TreeMap<>()).put(topic,
                        IntStream.range(from, from + size).boxed().toList());
                from += size;
            }
        });
        var targets = new HashMap<String, Partitions>();
        task.members().keySet().forEach(id -> targets.put(id, Partitions.of(shares.getOrDefault(id, Map.of()))));
        return targets;
    }
}
