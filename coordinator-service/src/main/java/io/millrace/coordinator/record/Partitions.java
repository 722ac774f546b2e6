package io.millrace.coordinator.record;

import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiPredicate;

import org.apache.kafka.common.Uuid;

/// Partitions by the ids of their topics. Immutable, in order, and without topics that have none.
public final class Partitions {
    /// None.
    public static final Partitions NONE = new Partitions(new TreeMap<>());

    private final SortedMap<Uuid, SortedSet<Integer>> byTopic;

    private Partitions(SortedMap<Uuid, SortedSet<Integer>> byTopic) {
        this.byTopic = byTopic;
    }

    /// A copy of what the map says.
    public static Partitions of(Map<Uuid, ? extends Iterable<Integer>> byTopic) {
        var copy = new TreeMap<Uuid, SortedSet<Integer>>();
        byTopic.forEach((topic, numbers) -> {
            var set = new TreeSet<Integer>();
            numbers.forEach(set::add);
            if (!set.isEmpty()) {
                copy.put(topic, Collections.unmodifiableSortedSet(set));
            }
        });
        return copy.isEmpty() ? NONE : new Partitions(copy);
    }

    /// Topics and the numbers of their partitions, in order.
    public SortedMap<Uuid, SortedSet<Integer>> byTopic() {
        return Collections.unmodifiableSortedMap(byTopic);
    }

    /// The partitions of one topic, maybe none.
    public Set<Integer> of(Uuid topic) {
        return byTopic.getOrDefault(topic, Collections.emptySortedSet());
    }

    public boolean contains(Uuid topic, int partition) {
        return of(topic).contains(partition);
    }

    public boolean isEmpty() {
        return byTopic.isEmpty();
    }

    public int size() {
        return byTopic.values().stream().mapToInt(Set::size).sum();
    }

    /// Those that the test lets through.
    public Partitions filter(BiPredicate<Uuid, Integer> test) {
        var kept = new TreeMap<Uuid, SortedSet<Integer>>();
        byTopic.forEach((topic, numbers) -> {
            var set = new TreeSet<Integer>();
            for (int number : numbers) {
                if (test.test(topic, number)) {
                    set.add(number);
                }
            }
            kept.put(topic, set);
        });
        return of(kept);
    }

    public Partitions and(Partitions other) {
        return filter(other::contains);
    }

    public Partitions minus(Partitions other) {
        return other.isEmpty() ? this : filter((topic, partition) -> !other.contains(topic, partition));
    }

    public Partitions plus(Partitions other) {
        if (other.isEmpty() || isEmpty()) {
            return isEmpty() ? other : this;
        }
        var all = new TreeMap<Uuid, SortedSet<Integer>>(byTopic);
        other.byTopic.forEach((topic, numbers) -> all.merge(topic, numbers, (one, more) -> {
            var both = new TreeSet<>(one);
            both.addAll(more);
            return both;
        }));
        return of(all);
    }

    /// Whether none is also among the others.
    public boolean isDisjoint(Partitions other) {
        return and(other).isEmpty();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Partitions partitions && byTopic.equals(partitions.byTopic);
    }

    @Override
    public int hashCode() {
        return byTopic.hashCode();
    }

    @Override
    public String toString() {
        return byTopic.toString();
    }
}
