package io.millrace.controller.store;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

import io.millrace.controller.core.Observation.PartitionSeen;
import io.millrace.controller.core.Observation.TopicSeen;
import io.millrace.metadata.znode.PartitionStateNode;
import io.millrace.metadata.znode.Paths;
import io.millrace.metadata.znode.TopicIds;
import io.millrace.metadata.znode.TopicNode;
import io.millrace.metadata.zookeeper.Znode;
import io.millrace.metadata.zookeeper.Znodes;
import org.apache.kafka.common.internals.Topic;
import org.jspecify.annotations.Nullable;

/// Reads topics, with or without the states of their partitions.
final class TopicReader {
    private final Znodes znodes;
    private final Rubbish rubbish;

    TopicReader(Znodes znodes, Rubbish rubbish) {
        this.znodes = znodes;
        this.rubbish = rubbish;
    }

    /// The nodes of those topics and the copies of their ids, without states.
    CompletableFuture<Map<String, TopicSeen>> nodesOf(List<String> names) {
        var copies = znodes.readAll(names.stream().map(Paths::topicId).toList());
        return znodes.readAll(names.stream().map(Paths::topic).toList()).thenCombine(copies, (nodes, ids) -> {
            var seen = new HashMap<String, TopicSeen>();
            for (int index = 0; index < names.size(); index++) {
                var copy = ids.get(index).flatMap(znode -> rubbish.read(znode, TopicIds::parse)).orElse(null);
                seen.put(names.get(index), nodes.get(index)
                        .map(znode -> topic(znode, copy))
                        .orElseGet(() -> new TopicSeen.Absent(copy)));
            }
            return seen;
        });
    }

    /// All topics with all states.
    CompletableFuture<Map<String, TopicSeen>> all() {
        return znodes.children(Paths.TOPICS).thenCompose(this::withStatesOf);
    }

    /// Those topics with all their states.
    CompletableFuture<Map<String, TopicSeen>> withStatesOf(List<String> names) {
        return nodesOf(names).thenCompose(this::withStates);
    }

    /// The states at those places; none where there is no node, and without any ISR where it makes no sense.
    CompletableFuture<Map<StateAt, PartitionSeen>> states(List<StateAt> places) {
        var paths = places.stream().map(place -> Paths.partitionState(place.topic(), place.partition())).toList();
        return znodes.readAll(paths).thenApply(found -> {
            var states = new HashMap<StateAt, PartitionSeen>();
            for (int index = 0; index < places.size(); index++) {
                var place = places.get(index);
                found.get(index).ifPresent(znode -> states.put(place, state(znode)));
            }
            return states;
        });
    }

    /// Where a state is.
    record StateAt(String topic, int partition) {}

    private TopicSeen topic(Znode znode, @Nullable UUID copiedId) {
        if (!isLegal(znode)) {
            return new TopicSeen.Unreadable(copiedId);
        }
        var node = rubbish.read(znode, TopicNode::parse);
        if (node.isEmpty()) {
            return new TopicSeen.Unreadable(copiedId);
        }
        if (node.get().partitions().isEmpty() || node.get().partitions().values().stream().anyMatch(List::isEmpty)) {
            rubbish.warn(znode, "a topic without partitions, or a partition without replicas");
            return new TopicSeen.Unreadable(copiedId);
        }
        return new TopicSeen.Present(node.get(), znode.version(), null, copiedId);
    }

    /// Tools that write nodes check nothing, and no log directory or metric could have such a name.
    private boolean isLegal(Znode znode) {
        var problems = new ArrayList<String>();
        Topic.validate(znode.path().substring(Paths.TOPICS.length() + 1), "its name is illegal: ", problems::add);
        problems.forEach(problem -> rubbish.warn(znode, problem));
        return problems.isEmpty();
    }

    private CompletableFuture<Map<String, TopicSeen>> withStates(Map<String, TopicSeen> topics) {
        var places = new ArrayList<StateAt>();
        topics.forEach((name, seen) -> {
            if (seen instanceof TopicSeen.Present present) {
                present.node().partitions().keySet().forEach(partition -> places.add(new StateAt(name, partition)));
            }
        });
        return states(places).thenApply(found -> {
            var states = new HashMap<String, Map<Integer, PartitionSeen>>();
            found.forEach((place, state) -> states.computeIfAbsent(place.topic(), _ -> new HashMap<>()).put(place
                    .partition(), state));
            var seen = new HashMap<String, TopicSeen>();
            topics.forEach((name, topic) -> seen.put(name, with(topic, states.getOrDefault(name, Map.of()))));
            return seen;
        });
    }

    /// A topic with the states of its partitions: where one makes no sense, all replicas may be in sync.
    static TopicSeen with(TopicSeen topic, Map<Integer, PartitionSeen> states) {
        if (!(topic instanceof TopicSeen.Present present)) {
            return topic;
        }
        var complete = new HashMap<Integer, PartitionSeen>();
        present.node().partitions().forEach((partition, replicas) -> {
            var state = states.get(partition);
            if (state != null) {
                complete.put(partition, state.isr().isEmpty()
                        ? new PartitionSeen(state.leader(), state.leaderEpoch(), replicas, List.of(), state.version())
                        : state);
            }
        });
        return new TopicSeen.Present(present.node(), present.version(), complete, present.copiedId());
    }

    private PartitionSeen state(Znode znode) {
        return rubbish.read(znode, PartitionStateNode::parse)
                .filter(state -> !state.isr().isEmpty())
                .map(state -> new PartitionSeen(state.leader(), state.leaderEpoch(), state.isr(), state.elr(), znode
                        .version()))
                // Each leader epoch took a write, so the version is no lower than any epoch that was ever given.
                .orElseGet(() -> new PartitionSeen(-1, znode.version(), List.of(), List.of(), znode.version()));
    }
}
