package io.millrace.admin.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

import io.millrace.admin.operation.Move;
import io.millrace.admin.problem.Problem;
import io.millrace.metadata.image.ClusterImage;
import org.apache.kafka.common.TopicPartition;

/// Makes plans. **pure**
final class Planner {
    private final ClusterImage image;
    private final Layout layout;

    /// @param bytes sizes of partitions, as far as they are known
    Planner(ClusterImage image, Map<TopicPartition, Long> bytes) {
        this.image = image;
        this.layout = new Layout(image, bytes);
    }

    /// What it thinks of, once it has planned.
    Layout layout() {
        return layout;
    }

    /// The moves that reach what is asked for.
    ///
    /// @throws Problem where it cannot be reached
    List<Move> plan(PlanRequest request) {
        var which = request.which();
        switch (request.goal()) {
            case ADD_BROKERS -> add(request, which);
            case REMOVE_BROKERS -> remove(new TreeSet<>(request.requiredBrokers()), which);
            case CHANGE_RF -> changeFactor(request, which);
            case SPREAD_RACKS -> spreadRacks(which);
            case BALANCE_TOPIC -> {
                layout.even(Layout.Load::replicas, _ -> 1, layout.brokers(), which, request.leadersStay(), request
                        .limit());
                layout.evenLeaders(which, _ -> true, request.limit());
            }
            case CUSTOM -> custom(request);
        }
        return limited(layout.moves(), request.limit());
    }

    static List<Move> limited(List<Move> moves, int limit) {
        return moves.size() <= limit ? moves : moves.subList(0, limit);
    }

    private void add(PlanRequest request, Predicate<TopicPartition> which) {
        var added = new TreeSet<>(request.requiredBrokers());
        added.forEach(this::checkAlive);
        layout.even(Layout.Load::replicas, _ -> 1, added, which, request.leadersStay(), request.limit());
        layout.evenLeaders(which, added::contains, request.limit());
    }

    private void checkAlive(int broker) {
        if (!layout.brokers().contains(broker)) {
            throw Problem.refusedByKafka("Broker " + broker + " is not there.");
        }
    }

    /// Takes every replica off those brokers.
    void remove(Set<Integer> removed, Predicate<TopicPartition> which) {
        removed.forEach(broker -> {
            if (image.broker(broker).isEmpty()) {
                throw Problem.notFound("Broker " + broker + " cannot be found.");
            }
        });
        for (var partition : List.copyOf(layout.partitions())) {
            if (!which.test(partition)) {
                continue;
            }
            for (int broker : layout.replicas(partition)) {
                if (removed.contains(broker)) {
                    var staying = layout.replicas(partition).stream().filter(id -> id != broker).toList();
                    int next = layout.bestFor(partition, staying, id -> !removed.contains(id)).orElseThrow(
                            () -> Problem.refusedByKafka("No broker is left that could take " + partition
                                    + ": its replication factor cannot be kept."));
                    layout.replace(partition, broker, next);
                }
            }
        }
    }

    private void changeFactor(PlanRequest request, Predicate<TopicPartition> which) {
        if (request.replicationFactor() == null) {
            throw Problem.badRequest("replication_factor must be given for this goal");
        }
        int factor = request.replicationFactor();
        if (factor > layout.brokers().size()) {
            throw Problem.refusedByKafka("Replication factor: " + factor + " larger than available brokers: " + layout
                    .brokers().size() + ".");
        }
        for (var partition : List.copyOf(layout.partitions())) {
            if (which.test(partition)) {
                var replicas = new ArrayList<>(layout.replicas(partition));
                while (replicas.size() < factor) {
                    replicas.add(layout.bestFor(partition, replicas, _ -> true).orElseThrow(() -> Problem
                            .refusedByKafka(
                                    "No broker is left for " + partition + ".")));
                }
                while (replicas.size() > factor) {
                    int leaving = leastMissed(partition, replicas);
                    replicas.removeIf(id -> id == leaving);
                }
                layout.put(partition, replicas);
            }
        }
    }

    /// One that is not in sync, else one whose rack another replica is in, else the last; never the first.
    private int leastMissed(TopicPartition partition, List<Integer> replicas) {
        var others = replicas.subList(1, replicas.size());
        return others.stream().filter(id -> !layout.inSync(partition, id)).findFirst().or(() -> others.reversed()
                .stream().filter(id -> layout.spread(replicas.stream().filter(other -> !other.equals(id))
                        .toList()) == layout.spread(replicas)).findFirst()).orElseGet(others::getLast);
    }

    /// No two replicas of a partition in one rack, where there are racks enough.
    void spreadRacks(Predicate<TopicPartition> which) {
        for (var partition : List.copyOf(layout.partitions())) {
            if (!which.test(partition)) {
                continue;
            }
            for (int broker : List.copyOf(layout.replicas(partition)).reversed()) {
                var staying = layout.replicas(partition).stream().filter(id -> id != broker).toList();
                if (layout.spread(staying) == layout.spread(layout.replicas(partition))) {
                    layout.bestFor(partition, staying, _ -> true).filter(next -> layout.spread(Layout.with(staying,
                            next)) > layout.spread(staying)).ifPresent(next -> layout.replace(partition, broker, next));
                }
            }
        }
    }

    private void custom(PlanRequest request) {
        if (request.partitions() == null || request.partitions().isEmpty()) {
            throw Problem.badRequest("partitions must not be empty for this goal");
        }
        for (var wanted : request.partitions()) {
            var partition = new TopicPartition(wanted.topicName(), wanted.partitionId());
            if (!layout.partitions().contains(partition)) {
                throw Problem.unknownTopicOrPartition("Partition " + partition + " cannot be found.");
            }
            wanted.replicas().forEach(broker -> {
                if (!layout.replicas(partition).contains(broker)) {
                    checkAlive(broker);
                }
            });
            if (wanted.replicas().stream().distinct().count() < wanted.replicas().size()) {
                throw Problem.badRequest("partitions: replicas of " + partition + " name a broker twice");
            }
            layout.put(partition, wanted.replicas());
        }
    }
}
