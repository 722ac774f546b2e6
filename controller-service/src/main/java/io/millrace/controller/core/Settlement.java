package io.millrace.controller.core;

import java.util.HashSet;
import java.util.List;
import java.util.function.Predicate;

import io.millrace.controller.partition.ElectionRules;
import io.millrace.controller.partition.Leadership;
import io.millrace.controller.partition.LiveReplicas;
import io.millrace.controller.topic.TopicCreation;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.ConfigResource;
import io.millrace.metadata.image.ConfigType;
import io.millrace.metadata.image.NodeKey;
import io.millrace.metadata.image.PartitionImage;
import io.millrace.metadata.image.Role;
import io.millrace.metadata.image.ShardKind;
import io.millrace.metadata.image.TopicImage;

/// What must follow whenever nodes, topics or configurations changed: leaders, moves of partitions, the group topic, owners of shards. It looks
/// at the draft alone, so that it makes the same of one change and of a whole cluster just loaded.
final class Settlement {
    private final TopicCreation creation;
    private final TopicDecisions topics;
    private final InternalTopics internalTopics;
    private final ElectionRules rules;
    private final Moves moves;

    Settlement(TopicCreation creation, TopicDecisions topics, InternalTopics internalTopics,
            ElectionRules rules, Moves moves) {
        this.creation = creation;
        this.topics = topics;
        this.internalTopics = internalTopics;
        this.rules = rules;
        this.moves = moves;
    }

    /// @param before the image that the draft began with; what is the same there is settled already
    void settle(Draft draft, ClusterImage before) {
        var changes = draft.changes(before);
        if (changes.configs().contains(ConfigResource.allBrokers())) {
            settle(draft);
            return;
        }
        var live = draft.live();
        var topics = new HashSet<>(changes.topics());
        changes.configs()
                .stream()
                .filter(config -> config.type() == ConfigType.TOPIC)
                .forEach(config -> draft.image().topic(config.name()).ifPresent(topic -> topics.add(topic.id())));
        var changed = changes.nodes().stream().filter(node -> node.role() == Role.BROKER).map(NodeKey::id).toList();
        changed.stream()
                .flatMap(broker -> draft.state().topicsByBroker().of(broker).stream())
                .distinct()
                .filter(id -> !topics.contains(id))
                .forEach(id -> draft.image().topic(id).ifPresent(topic -> settleLeaders(draft, topic, live,
                        partition -> concerns(partition, changed))));
        topics.forEach(id -> draft.image().topic(id).ifPresent(topic -> settleLeaders(draft, topic, live,
                _ -> true)));
        moves.goOn(draft, before);
        settleBesidesLeaders(draft);
    }

    private static boolean concerns(PartitionImage partition, List<Integer> brokers) {
        for (int broker : brokers) {
            if (partition.isReplica(broker) || partition.leader() == broker || partition.isr().contains(broker)) {
                return true;
            }
        }
        return false;
    }

    /// Settles all there is: also what was just read from ZooKeeper and may be of another time than the nodes are.
    void settle(Draft draft) {
        var live = draft.live();
        List.copyOf(draft.image().topics().all()).forEach(topic -> settleLeaders(draft, topic, live, _ -> true));
        moves.goOn(draft);
        settleBesidesLeaders(draft);
    }

    private void settleBesidesLeaders(Draft draft) {
        createGroupTopic(draft);
        Shards.settle(draft, 0);
    }

    private void settleLeaders(Draft draft, TopicImage topic, LiveReplicas live, Predicate<PartitionImage> which) {
        boolean unclean = rules.uncleanAllowed(draft.image(), topic.name());
        for (var partition : topic.partitions()) {
            var next = which.test(partition)
                    ? Leadership.next(partition, live.of(topic.id(), partition.partition()), unclean)
                    : partition;
            if (!next.equals(partition)) {
                draft.putPartition(topic.name(), topic.id(), next);
            }
        }
    }

    private void createGroupTopic(Draft draft) {
        var image = draft.image();
        if (image.topic(ShardKind.GROUP.topic()).isPresent() || image.liveCoordinators().isEmpty()
                || image.liveBrokers().size() < internalTopics.groups().replicationFactor()) {
            return;
        }
        topics.create(draft, creation.plan(internalTopics.wanted(ShardKind.GROUP), image));
    }
}
