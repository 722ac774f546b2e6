package io.millrace.admin.plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

import io.millrace.admin.operation.Move;
import io.millrace.admin.upstream.GroupOffsets;
import io.millrace.metadata.image.ClusterImage;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/// Which brokers hold which partitions, changed in thought, with what each broker has to bear. Confined to one thread.
/// **pure**
final class Layout {
    private final NavigableMap<TopicPartition, List<Integer>> before = GroupOffsets.ordered();
    private final NavigableMap<TopicPartition, List<Integer>> now = GroupOffsets.ordered();
    private final Map<TopicPartition, Long> bytes;
    private final Map<TopicPartition, List<Integer>> isr = new HashMap<>();
    private final NavigableMap<Integer, Load> loads = new TreeMap<>();
    private final Map<Integer, String> racks = new HashMap<>();

    /// What a broker bears.
    static final class Load {
        private long replicas;
        private long leaders;
        private long bytes;

        long replicas() {
            return replicas;
        }

        long leaders() {
            return leaders;
        }

        long bytes() {
            return bytes;
        }
    }

    /// @param bytes sizes of partitions; those that are not there count as empty
    Layout(ClusterImage image, Map<TopicPartition, Long> bytes) {
        this.bytes = bytes;
        image.liveBrokers().forEach(broker -> {
            loads.put(broker.id(), new Load());
            if (broker.rack() != null) {
                racks.put(broker.id(), broker.rack());
            }
        });
        image.topics().all().forEach(topic -> topic.partitions().forEach(partition -> {
            var key = new TopicPartition(topic.name(), partition.partition());
            var target = partition.replicas().stream().filter(id -> !partition.removing().contains(id)).toList();
            before.put(key, target);
            isr.put(key, partition.isr());
            put(key, target);
        }));
    }

    /// The live brokers.
    Set<Integer> brokers() {
        return loads.keySet();
    }

    Set<TopicPartition> partitions() {
        return now.keySet();
    }

    List<Integer> replicas(TopicPartition partition) {
        return now.getOrDefault(partition, List.of());
    }

    boolean inSync(TopicPartition partition, int broker) {
        return isr.getOrDefault(partition, List.of()).contains(broker);
    }

    long bytes(TopicPartition partition) {
        return bytes.getOrDefault(partition, 0L);
    }

    Load load(int broker) {
        return loads.getOrDefault(broker, new Load());
    }

    @Nullable
    String rack(int broker) {
        return racks.get(broker);
    }

    void put(TopicPartition partition, List<Integer> replicas) {
        count(partition, -1);
        now.put(partition, List.copyOf(replicas));
        count(partition, 1);
    }

    private void count(TopicPartition partition, int sign) {
        var replicas = now.getOrDefault(partition, List.of());
        for (int i = 0; i < replicas.size(); i++) {
            var load = loads.get(replicas.get(i));
            if (load != null) {
                load.replicas += sign;
                load.leaders += i == 0 ? sign : 0;
                load.bytes += sign * bytes(partition);
            }
        }
    }

    /// The same replicas with `in` at the place of `out`.
    void replace(TopicPartition partition, int out, int in) {
        put(partition, replicas(partition).stream().map(id -> id == out ? in : id).toList());
    }

    /// How many racks the replicas are in; a broker without one counts as a rack of its own.
    int spread(List<Integer> replicas) {
        var seen = new HashSet<String>();
        replicas.forEach(id -> seen.add(Objects.requireNonNullElse(racks.get(id), "broker " + id)));
        return seen.size();
    }

    /// The broker that should get one more replica of a partition: in a rack of its own if there is one, and bearing little.
    ///
    /// @param staying replicas that it is to stand beside
    Optional<Integer> bestFor(TopicPartition partition, List<Integer> staying, Predicate<Integer> allowed) {
        return loads.keySet().stream().filter(id -> !replicas(partition).contains(id) && !staying.contains(id)).filter(
                allowed).max(Comparator.comparingInt((Integer id) -> spread(with(staying, id))).thenComparing(
                        Comparator.comparingLong((Integer id) -> load(id).bytes).thenComparingLong(id -> load(
                                id).replicas).thenComparingInt(id -> id).reversed()));
    }

    static List<Integer> with(List<Integer> replicas, int added) {
        var all = new ArrayList<>(replicas);
        all.add(added);
        return all;
    }

    /// Evens out a measure: moves replicas from brokers that bear much to such that bear little, as long as that helps, no partition
    /// gets into fewer racks, and `limit` moves are not reached.
    void even(ToLongFunction<Load> measure, ToLongFunction<TopicPartition> weight, Set<Integer> to,
            Predicate<TopicPartition> which, boolean keepLeaders, int limit) {
        for (int moved = 0; moved < limit; moved++) {
            if (!evenOnce(measure, weight, to, which, keepLeaders)) {
                return;
            }
        }
    }

    private boolean evenOnce(ToLongFunction<Load> measure, ToLongFunction<TopicPartition> weight, Set<Integer> to,
            Predicate<TopicPartition> which, boolean keepLeaders) {
        var heavy = loads.keySet().stream().sorted(Comparator.comparingLong((Integer id) -> measure.applyAsLong(load(
                id))).reversed()).toList();
        var light = to.stream().filter(loads::containsKey).sorted(Comparator.comparingLong(id -> measure.applyAsLong(
                load(id)))).toList();
        for (int from : heavy) {
            for (int target : light) {
                long gap = measure.applyAsLong(load(from)) - measure.applyAsLong(load(target));
                var best = gap < 2
                        ? Optional.<TopicPartition>empty()
                        : movable(from, target, gap, weight, which,
                                keepLeaders);
                if (best.isPresent()) {
                    replace(best.get(), from, target);
                    return true;
                }
            }
        }
        return false;
    }

    private Optional<TopicPartition> movable(int from, int to, long gap, ToLongFunction<TopicPartition> weight,
            Predicate<TopicPartition> which, boolean keepLeaders) {
        return now.entrySet().stream().filter(entry -> which.test(entry.getKey())).filter(entry -> {
            var replicas = entry.getValue();
            long size = weight.applyAsLong(entry.getKey());
            return size > 0 && size < gap && replicas.contains(from) && !replicas.contains(to) && !(keepLeaders
                    && replicas.getFirst() == from) && spread(replicas.stream().map(id -> id == from ? to : id)
                            .toList()) >= spread(replicas);
        }).map(Map.Entry::getKey).min(Comparator.comparingLong(partition -> Math.abs(gap / 2 - weight.applyAsLong(
                partition))));
    }

    /// Evens out who leads, among replicas that are in sync; nothing is copied for it.
    void evenLeaders(Predicate<TopicPartition> which, Predicate<Integer> mayLead, int limit) {
        for (int changed = 0; changed < limit; changed++) {
            if (!evenLeadersOnce(which, mayLead)) {
                return;
            }
        }
    }

    private boolean evenLeadersOnce(Predicate<TopicPartition> which, Predicate<Integer> mayLead) {
        var heavy = loads.keySet().stream().sorted(Comparator.comparingLong((Integer id) -> load(id).leaders)
                .reversed()).toList();
        for (int from : heavy) {
            for (var entry : now.entrySet()) {
                if (entry.getValue().getFirst() != from || !which.test(entry.getKey())) {
                    continue;
                }
                var next = entry.getValue().stream().filter(loads::containsKey).filter(mayLead).filter(
                        id -> inSync(entry.getKey(), id)).min(Comparator.comparingLong(id -> load(id).leaders));
                if (next.isPresent() && load(from).leaders - load(next.get()).leaders > 1) {
                    put(entry.getKey(), first(entry.getValue(), next.get()));
                    return true;
                }
            }
        }
        return false;
    }

    /// The same replicas with that one as the preferred leader.
    static List<Integer> first(List<Integer> replicas, int leader) {
        var next = new ArrayList<Integer>();
        next.add(leader);
        replicas.stream().filter(id -> id != leader).forEach(next::add);
        return next;
    }

    /// What has to move to get from what is to what was thought of.
    List<Move> moves() {
        var moves = new ArrayList<Move>();
        now.forEach((partition, replicas) -> {
            var was = before.getOrDefault(partition, replicas);
            if (!was.equals(replicas)) {
                moves.add(Move.queued(partition.topic(), partition.partition(), was, replicas, bytes(partition)));
            }
        });
        return moves;
    }

    /// Topics of all partitions.
    Set<String> topics() {
        var topics = new TreeSet<String>();
        now.keySet().forEach(partition -> topics.add(partition.topic()));
        return topics;
    }
}
