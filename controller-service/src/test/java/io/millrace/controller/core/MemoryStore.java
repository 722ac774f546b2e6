package io.millrace.controller.core;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import io.millrace.base.loop.Loop;
import io.millrace.controller.core.ControllerState.ProducerIds;
import io.millrace.controller.core.Observation.ConfigSeen;
import io.millrace.controller.core.Observation.MovesSeen;
import io.millrace.controller.core.Observation.PartitionSeen;
import io.millrace.controller.core.Observation.TopicSeen;
import io.millrace.metadata.command.ElectLeaders.TopicPartition;
import io.millrace.metadata.image.ConfigResource;
import io.millrace.metadata.image.NodeImage;
import io.millrace.metadata.image.NodeKey;
import io.millrace.metadata.image.ShardKind;
import io.millrace.metadata.znode.ReassignPartitionsNode.Move;
import io.millrace.metadata.znode.TopicNode;
import org.jspecify.annotations.Nullable;

/// ZooKeeper as far as the controller sees it, in memory, with versions. Answers come later on the loop, and what the
/// test does meanwhile comes in between. Each store is one controller's view of the same [Tree].
final class MemoryStore implements ClusterStore {
    private final Tree tree;
    private final Loop loop;
    private Consumer<Hint> hints = _ -> {};

    MemoryStore(Tree tree, Loop loop) {
        this.tree = tree;
        this.loop = loop;
    }

    /// What is durable.
    static final class Tree {
        int epoch;
        int epochVersion;
        final Map<NodeKey, NodeImage> nodes = new TreeMap<>();
        final Map<String, TopicEntry> topics = new HashMap<>();
        final Map<String, UUID> topicIds = new HashMap<>();
        final Map<ConfigResource, ConfigSeen.Present> configs = new HashMap<>();
        final Set<String> deletions = new HashSet<>();
        final List<MemoryStore> watchers = new ArrayList<>();
        List<Move> askedMoves = List.of();
        @Nullable
        List<TopicPartition> askedElection;
        int askedVersion = StoreWrite.CREATE;
        final Map<ShardKind, Observation.ShardsSeen> shards = new EnumMap<>(ShardKind.class);
        ProducerIds producerIds = new ProducerIds(0, 0);
        /// How many of the next writes end without an answer; each is made or not by turns.
        int unanswered;
        /// After how many more single writes the answer of a decision is lost in its midst; -1 for never.
        int cutAfter = -1;

        Observation.ShardsSeen shards(ShardKind kind) {
            return shards.getOrDefault(kind, new Observation.ShardsSeen(kind, List.of(), StoreWrite.CREATE));
        }

        Office elect(int controller) {
            return new Office(controller, ++epoch, ++epochVersion);
        }

        void changed(Hint hint) {
            List.copyOf(watchers).forEach(watcher -> watcher.loop.execute(() -> watcher.hints.accept(hint)));
        }
    }

    static final class TopicEntry {
        TopicNode node;
        int version;
        final Map<Integer, PartitionSeen> states = new HashMap<>();

        TopicEntry(TopicNode node) {
            this.node = node;
        }
    }

    private static final class Conflict extends RuntimeException {
        Conflict(String what) {
            super(what);
        }
    }

    @Override
    public CompletableFuture<Void> open(Consumer<Hint> next) {
        close();
        hints = next;
        tree.watchers.add(this);
        return CompletableFuture.runAsync(() -> {}, loop);
    }

    @Override
    public void close() {
        hints = _ -> {};
        tree.watchers.remove(this);
    }

    @Override
    public CompletableFuture<Observation> observe(Set<Hint> at) {
        return CompletableFuture.supplyAsync(() -> at.contains(new Hint.Everything()) ? everything() : parts(at), loop);
    }

    private Observation everything() {
        var topics = new HashMap<String, TopicSeen>();
        tree.topics.keySet().forEach(name -> topics.put(name, topic(name, true)));
        var orphans = new HashSet<>(tree.topicIds.keySet());
        orphans.removeAll(tree.topics.keySet());
        return parts(Set.of(new Hint.Nodes(), new Hint.Deletions(), new Hint.Shards(ShardKind.GROUP),
                new Hint.Shards(ShardKind.TRANSACTION), new Hint.ProducerIds(),
                new Hint.AskedMoves(), new Hint.AskedElection()))
                .withTopics(topics)
                .withConfigs(Map.copyOf(tree.configs))
                .with(new Observation.Whole("cluster", orphans));
    }

    private Observation parts(Set<Hint> at) {
        var topics = new HashMap<String, TopicSeen>();
        var configs = new HashMap<ConfigResource, ConfigSeen>();
        var seen = Observation.NOTHING;
        for (var hint : at) {
            switch (hint) {
                case Hint.Topic(String name) -> topics.putIfAbsent(name, topic(name, false));
                case Hint.States(String name) -> topics.put(name, topic(name, true));
                case Hint.Config(ConfigResource resource) -> {
                    var config = tree.configs.get(resource);
                    configs.put(resource, config == null ? new ConfigSeen.Absent() : config);
                }
                case Hint.Nodes _ -> seen = seen.withNodes(List.copyOf(tree.nodes.values()));
                case Hint.Deletions _ -> seen = seen.withDeletions(tree.deletions);
                case Hint.Shards(ShardKind kind) -> seen = seen.with(tree.shards(kind));
                case Hint.ProducerIds _ -> seen = seen.with(tree.producerIds);
                case Hint.AskedMoves _ -> seen = seen.with(tree.askedVersion == StoreWrite.CREATE
                        ? new MovesSeen.Absent()
                        : new MovesSeen.Present(tree.askedMoves, tree.askedVersion));
                case Hint.AskedElection _ -> seen = seen.withElection(Optional.ofNullable(tree.askedElection).map(
                        partitions -> new Observation.ElectionSeen(partitions, 0)));
                case Hint.Everything _ -> throw new IllegalArgumentException("everything is no part");
            }
        }
        return seen.withTopics(topics).withConfigs(configs);
    }

    private TopicSeen topic(String name, boolean withStates) {
        var topic = tree.topics.get(name);
        return topic == null
                ? new TopicSeen.Absent(tree.topicIds.get(name))
                : new TopicSeen.Present(topic.node, topic.version, withStates ? Map.copyOf(topic.states) : null,
                        tree.topicIds.get(name));
    }

    @Override
    public CompletableFuture<WriteOutcome> write(List<StoreWrite> writes, Office office) {
        return CompletableFuture.supplyAsync(() -> writeNow(writes, office), loop).thenCompose(outcome -> outcome);
    }

    private CompletableFuture<WriteOutcome> writeNow(List<StoreWrite> writes, Office office) {
        boolean unanswered = tree.unanswered > 0;
        boolean made = !unanswered || tree.unanswered-- % 2 == 0;
        try {
            for (var write : made ? writes : List.<StoreWrite>of()) {
                if (tree.epochVersion != office.epochVersion()) {
                    return CompletableFuture.completedFuture(WriteOutcome.DEPOSED);
                }
                if (tree.cutAfter == 0) {
                    tree.cutAfter = -1;
                    return CompletableFuture.failedFuture(new IOException("connection lost"));
                }
                tree.cutAfter -= tree.cutAfter > 0 ? 1 : 0;
                make(write);
            }
        } catch (Conflict _) {
            return CompletableFuture.completedFuture(WriteOutcome.CONFLICT);
        }
        return unanswered
                ? CompletableFuture.failedFuture(new IOException("connection lost"))
                : CompletableFuture.completedFuture(WriteOutcome.WRITTEN);
    }

    private void make(StoreWrite write) {
        switch (write) {
            case StoreWrite.TopicWrite(String name, TopicNode node, int version) -> {
                var topic = tree.topics.get(name);
                expect(version, topic == null ? StoreWrite.CREATE : topic.version, name);
                var next = topic == null ? new TopicEntry(node) : topic;
                next.node = node;
                next.version = version + 1;
                tree.topics.put(name, next);
                tree.changed(new Hint.Topic(name));
            }
            case StoreWrite.StateWrite(String name, var partition) -> {
                var topic = tree.topics.get(name);
                if (topic == null) {
                    throw new Conflict(name);
                }
                var state = topic.states.get(partition.partition());
                expect(partition.partitionEpoch() - 1, state == null ? StoreWrite.CREATE : state.version(), name);
                topic.states.put(partition.partition(), new PartitionSeen(partition.leader(), partition.leaderEpoch(),
                        partition.isr(), partition.elr(), partition.partitionEpoch()));
            }
            case StoreWrite.TopicIdCopy(String name, UUID id) -> tree.topicIds.put(name, id);
            case StoreWrite.TopicIdForgotten(String name) -> tree.topicIds.remove(name);
            case StoreWrite.ConfigWrite(var resource, var values, int version, boolean _) -> {
                var config = tree.configs.get(resource);
                expect(version, config == null ? StoreWrite.CREATE : config.version(), resource.toString());
                tree.configs.put(resource, new ConfigSeen.Present(values, version + 1));
                tree.changed(new Hint.Config(resource));
            }
            case StoreWrite.TopicDeletion(String name) -> {
                tree.topics.remove(name);
                tree.topicIds.remove(name);
                tree.configs.remove(ConfigResource.topic(name));
                tree.deletions.remove(name);
                tree.changed(new Hint.Topic(name));
            }
            case StoreWrite.DeletionRefused(String name) -> tree.deletions.remove(name);
            case StoreWrite.ShardsWrite(var kind, var shards, int version) -> {
                expect(version, tree.shards(kind).version(), "shards");
                tree.shards.put(kind, new Observation.ShardsSeen(kind, shards, version + 1));
            }
            case StoreWrite.ElectionDone _ -> tree.askedElection = null;
            case StoreWrite.AskedMovesWrite(var moves, int version) -> {
                expect(version, tree.askedVersion, "asked moves");
                tree.askedMoves = moves;
                tree.askedVersion = moves.isEmpty() ? StoreWrite.CREATE : version + 1;
                tree.changed(new Hint.AskedMoves());
            }
            case StoreWrite.ProducerIdsWrite(int _, long _, long last, int version) -> {
                expect(version, tree.producerIds.version(), "producer ids");
                tree.producerIds = new ProducerIds(last + 1, version + 1);
            }
        }
    }

    private static void expect(int expected, int actual, String what) {
        if (expected != actual) {
            throw new Conflict(what + " expected=" + expected + " actual=" + actual);
        }
    }
}
