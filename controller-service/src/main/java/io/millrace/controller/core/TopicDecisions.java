package io.millrace.controller.core;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Supplier;

import io.millrace.controller.core.Observation.PartitionSeen;
import io.millrace.controller.core.Observation.TopicSeen;
import io.millrace.controller.partition.Leadership;
import io.millrace.controller.topic.TopicPlan;
import io.millrace.metadata.image.ConfigResource;
import io.millrace.metadata.image.PartitionImage;
import io.millrace.metadata.image.TopicImage;
import io.millrace.metadata.record.MetadataRecord.ConfigPut;
import io.millrace.metadata.record.MetadataRecord.PartitionPut;
import io.millrace.metadata.record.MetadataRecord.TopicPut;
import io.millrace.metadata.record.MetadataRecord.TopicRemoved;
import io.millrace.metadata.znode.TopicNode;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/// What commands and topic nodes make of topics.
final class TopicDecisions {
    private final Supplier<UUID> ids;

    /// @param ids of new topics, none given twice
    TopicDecisions(Supplier<UUID> ids) {
        this.ids = ids;
    }

    /// The configuration is written first: a topic that exists must never be seen without it.
    TopicImage create(Draft draft, TopicPlan plan) {
        var name = plan.name();
        var id = ids.get();
        draft.putConfig(ConfigResource.topic(name), plan.configs(), false);
        draft.write(new StoreWrite.TopicIdCopy(name, id));
        draft.writeTopic(name, new TopicNode(id, numbered(0, plan.assignments())), StoreWrite.CREATE);
        draft.record(new TopicPut(name, id));
        addPartitions(draft, name, id, 0, plan.assignments());
        return topic(draft, id);
    }

    TopicImage grow(Draft draft, TopicImage topic, List<List<Integer>> added) {
        var known = Optional.ofNullable(draft.state().topicNodes().get(topic.name()))
                .orElseThrow(() -> new IllegalStateException("topic=" + topic.name() + " without a node"));
        var partitions = new TreeMap<>(known.node().partitions());
        partitions.putAll(numbered(topic.partitions().size(), added));
        draft.writeTopic(topic.name(), known.node().with(partitions), known.version());
        addPartitions(draft, topic.name(), topic.id(), topic.partitions().size(), added);
        return topic(draft, topic.id());
    }

    void delete(Draft draft, TopicImage topic) {
        draft.write(new StoreWrite.TopicDeletion(topic.name()));
        forget(draft, topic);
        var config = ConfigResource.topic(topic.name());
        draft.update(state -> state.withoutConfig(config));
        if (!draft.image().configs().of(config).isEmpty()) {
            draft.record(new ConfigPut(config, Map.of()));
        }
    }

    void seen(Draft draft, String name, TopicSeen seen) {
        switch (seen) {
            case TopicSeen.Absent(var copiedId) -> {
                draft.update(state -> state.withReadable(name));
                draft.image().topic(name).ifPresent(topic -> gone(draft, topic, topic.id().equals(copiedId)));
            }
            case TopicSeen.Unreadable(var copiedId) -> unreadable(draft, name, copiedId);
            case TopicSeen.Present present -> present(draft, name, present);
        }
    }

    /// Who deletes a topic takes the second copy of its id as well; somebody who removes a node by hand knows nothing of
    /// that copy. Kafka goes on serving such a topic, and so brokers must not hear of a deletion, or they would delete their
    /// logs: the node is written back. Deletion has a way of its own, which no topic can be stuck in.
    private static void gone(Draft draft, TopicImage topic, boolean byHand) {
        if (!byHand) {
            draft.write(new StoreWrite.TopicIdForgotten(topic.name()));
            forget(draft, topic);
            return;
        }
        var node = draft.state().topicNodes().get(topic.name());
        if (node == null) {
            return; // it could not be read, and so cannot be written
        }
        draft.note(Level.WARN, "topic node was removed by hand and is written back topic=" + topic.name() + " topicId="
                + topic.id() + ": to delete a topic, use DeleteTopics or /admin/delete_topics");
        draft.writeTopic(topic.name(), node.node(), StoreWrite.CREATE);
        var live = draft.live();
        topic.partitions().forEach(partition -> draft.putPartition(topic.name(), topic.id(), Leadership.next(Leadership
                .bereft(partition), live.of(topic.id(), partition.partition()), false)));
    }

    /// The store said so once; what is known of the topic holds. A controller that just took over knows nothing of it: it
    /// tells of a topic without partitions, so that brokers do not take it for deleted and keep their logs.
    private static void unreadable(Draft draft, String name, @Nullable UUID copiedId) {
        draft.update(state -> state.withUnreadable(name));
        if (copiedId != null && draft.image().topic(name).isEmpty()) {
            draft.record(new TopicPut(name, copiedId));
        }
    }

    private void present(Draft draft, String name, TopicSeen.Present seen) {
        draft.update(state -> state.withReadable(name));
        // The copy was written with the topic, by a controller; what is known may be of a topic before that one.
        var told = seen.node().topicId().or(() -> Optional.ofNullable(seen.copiedId()));
        draft.image()
                .topic(name)
                .filter(known -> told.isPresent() && !told.get().equals(known.id()))
                .ifPresent(known -> forget(draft, known));
        var known = draft.image().topic(name);
        var id = told.or(() -> known.map(TopicImage::id)).orElseGet(ids);
        var node = known.map(topic -> kept(topic, seen.node())).orElse(seen.node());
        identify(draft, name, id, node, seen);
        if (known.isEmpty()) {
            draft.record(new TopicPut(name, id));
        }
        putPartitions(draft, name, topic(draft, id), node, seen.states());
    }

    /// What a tool wrote, but for the partitions that are known: theirs are moved by reassignment alone, and brokers would
    /// delete the logs of those that just vanish.
    private static TopicNode kept(TopicImage known, TopicNode written) {
        return written.placed(known.partitions());
    }

    /// Tools older than Kafka 2.8 know no ids and drop them whenever they write a topic (KAFKA-14190): brokers would take
    /// it for another topic, so the id is written back at once.
    private static void identify(Draft draft, String name, UUID id, TopicNode node, TopicSeen.Present seen) {
        if (!id.equals(seen.copiedId())) {
            draft.write(new StoreWrite.TopicIdCopy(name, id));
        }
        var right = node.identified(id);
        if (right.equals(seen.node())) {
            draft.update(state -> state.withTopic(name, new ControllerState.TopicZnode(right, seen.version())));
        } else {
            draft.writeTopic(name, right, seen.version());
        }
    }

    private static void putPartitions(Draft draft, String name, TopicImage topic, TopicNode node,
            @Nullable Map<Integer, PartitionSeen> states) {
        var live = draft.live();
        node.partitions().forEach((number, replicas) -> {
            var known = topic.partition(number);
            var state = states == null ? null : states.get(number);
            var base = state != null
                    ? loaded(number, replicas, state)
                    : known.map(partition -> states == null ? partition : Leadership.bereft(partition))
                            .orElseGet(() -> Leadership.waiting(number, replicas));
            var assigned = assigned(base, replicas, node.adding(), node.removing());
            var next = Leadership.isWaiting(assigned)
                    ? Leadership.next(assigned, live.of(topic.id(), number), false)
                    : assigned;
            if (!next.equals(assigned)) {
                draft.putPartition(name, topic.id(), next);
            } else if (known.filter(next::equals).isEmpty()) {
                draft.record(new PartitionPut(topic.id(), next));
            }
        });
    }

    private static PartitionImage loaded(int number, List<Integer> replicas, PartitionSeen state) {
        return new PartitionImage(number, replicas, state.isr(), List.of(), List.of(), state.leader(), state
                .leaderEpoch(),
                state.version(), state.elr());
    }

    private static PartitionImage assigned(PartitionImage base, List<Integer> replicas,
            SortedMap<Integer, List<Integer>> adding, SortedMap<Integer, List<Integer>> removing) {
        return new PartitionImage(base.partition(), replicas, base.isr(),
                adding.getOrDefault(base.partition(), List.of()), removing.getOrDefault(base.partition(), List.of()),
                base.leader(), base.leaderEpoch(), base.partitionEpoch(), base.elr());
    }

    private static void addPartitions(Draft draft, String name, UUID id, int from, List<List<Integer>> assignments) {
        var live = draft.live();
        for (int index = 0; index < assignments.size(); index++) {
            var waiting = Leadership.waiting(from + index, assignments.get(index));
            draft.putPartition(name, id, Leadership.next(waiting, live.of(id, from + index), false));
        }
    }

    private static void forget(Draft draft, TopicImage topic) {
        draft.update(state -> state.withoutTopic(topic.name()));
        draft.record(new TopicRemoved(topic.id()));
    }

    private static TopicImage topic(Draft draft, UUID id) {
        return draft.image().topic(id).orElseThrow(() -> new IllegalStateException("topicId=" + id + " is not there"));
    }

    private static SortedMap<Integer, List<Integer>> numbered(int from, List<List<Integer>> assignments) {
        var numbered = new TreeMap<Integer, List<Integer>>();
        for (int index = 0; index < assignments.size(); index++) {
            numbered.put(from + index, assignments.get(index));
        }
        return numbered;
    }
}
