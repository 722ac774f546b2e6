package io.millrace.controller.store;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import io.millrace.controller.core.ControllerState.ProducerIds;
import io.millrace.controller.core.Hint;
import io.millrace.controller.core.Observation;
import io.millrace.controller.core.Observation.ElectionSeen;
import io.millrace.controller.core.Observation.MovesSeen;
import io.millrace.controller.core.Observation.ShardsSeen;
import io.millrace.controller.core.Observation.TopicSeen;
import io.millrace.controller.core.Observation.Whole;
import io.millrace.controller.core.StoreWrite;
import io.millrace.metadata.command.ElectLeaders.TopicPartition;
import io.millrace.metadata.image.ConfigResource;
import io.millrace.metadata.image.ShardKind;
import io.millrace.metadata.znode.ClusterIdNode;
import io.millrace.metadata.znode.Paths;
import io.millrace.metadata.znode.PreferredElectionNode;
import io.millrace.metadata.znode.ProducerIdBlock;
import io.millrace.metadata.znode.ReassignPartitionsNode;
import io.millrace.metadata.znode.ShardsNode;
import io.millrace.metadata.znode.TopicIds;
import io.millrace.metadata.zookeeper.Znode;
import io.millrace.metadata.zookeeper.ZnodeRefused;
import io.millrace.metadata.zookeeper.Znodes;

/// Reads the cluster from ZooKeeper, many nodes at a time.
final class ClusterReader {
    private final Znodes znodes;
    private final Rubbish rubbish;
    private final NodeReader nodes;
    private final TopicReader topics;
    private final ConfigReader configs;
    private final Supplier<UUID> ids;

    /// @param ids of a cluster that has none yet
    ClusterReader(Znodes znodes, Rubbish rubbish, TopicReader topics, ConfigReader configs, Supplier<UUID> ids) {
        this.znodes = znodes;
        this.rubbish = rubbish;
        this.topics = topics;
        this.configs = configs;
        this.ids = ids;
        nodes = new NodeReader(znodes, rubbish);
    }

    /// What those hints point at.
    CompletableFuture<Observation> parts(Set<Hint> hints) {
        var seen = done(Observation.NOTHING);
        var names = new HashSet<String>();
        var withStates = new HashSet<String>();
        var resources = new ArrayList<ConfigResource>();
        for (var hint : hints) {
            seen = switch (hint) {
                case Hint.Nodes _ -> seen.thenCombine(nodes.read(), Observation::withNodes);
                case Hint.Deletions _ ->
                    seen.thenCombine(znodes.children(Paths.DELETE_TOPICS), Observation::withDeletions);
                case Hint.AskedMoves _ -> seen.thenCombine(askedMoves(), Observation::with);
                case Hint.AskedElection _ -> seen.thenCombine(askedElection(), Observation::withElection);
                case Hint.Shards(ShardKind kind) -> seen.thenCombine(shards(kind), Observation::with);
                case Hint.ProducerIds _ -> seen.thenCombine(producerIds(), Observation::with);
                case Hint.Topic(String name) -> {
                    names.add(name);
                    yield seen;
                }
                case Hint.States(String name) -> {
                    withStates.add(name);
                    yield seen;
                }
                case Hint.Config(ConfigResource resource) -> {
                    resources.add(resource);
                    yield seen;
                }
                case Hint.Everything _ -> throw new IllegalArgumentException("everything is no part");
            };
        }
        names.removeAll(withStates);
        var found = topics.nodesOf(List.copyOf(names)).thenCombine(topics.withStatesOf(List.copyOf(withStates)),
                ClusterReader::union);
        return seen.thenCombine(found, Observation::withTopics)
                .thenCombine(configs.of(resources), Observation::withConfigs);
    }

    /// All there is.
    CompletableFuture<Observation> everything() {
        return besidesTopics().thenCombine(topics.all(), Observation::withTopics)
                .thenCombine(configs.all(), Observation::withConfigs);
    }

    /// All there is but topics and configurations: there is little of it, however large the cluster is.
    CompletableFuture<Observation> besidesTopics() {
        return done(Observation.NOTHING).thenCombine(nodes.read(), Observation::withNodes)
                .thenCombine(znodes.children(Paths.DELETE_TOPICS), Observation::withDeletions)
                .thenCombine(askedMoves(), Observation::with)
                .thenCombine(askedElection(), Observation::withElection)
                .thenCombine(shards(ShardKind.GROUP), Observation::with)
                .thenCombine(shards(ShardKind.TRANSACTION), Observation::with)
                .thenCombine(producerIds(), Observation::with)
                .thenCombine(clusterId().thenCombine(orphanedIds(), Whole::new), Observation::with);
    }

    private static Map<String, TopicSeen> union(Map<String, TopicSeen> some, Map<String, TopicSeen> others) {
        var both = new HashMap<>(some);
        both.putAll(others);
        return both;
    }

    private CompletableFuture<ShardsSeen> shards(ShardKind kind) {
        return znodes.read(Paths.shards(kind)).thenApply(found -> new ShardsSeen(kind, found.flatMap(znode -> rubbish
                .read(
                        znode, ShardsNode::parse)).map(ShardsNode::shards).orElse(List.of()), found.map(Znode::version)
                                .orElse(
                                        StoreWrite.CREATE)));
    }

    private CompletableFuture<ProducerIds> producerIds() {
        return znodes.read(Paths.PRODUCER_IDS).thenApply(this::producerIds);
    }

    private CompletableFuture<MovesSeen> askedMoves() {
        return znodes.read(Paths.REASSIGN_PARTITIONS).thenApply(found -> found.map(this::askedMoves).orElseGet(
                MovesSeen.Absent::new));
    }

    private MovesSeen askedMoves(Znode znode) {
        return rubbish.read(znode, ReassignPartitionsNode::parse)
                .<MovesSeen>map(node -> new MovesSeen.Present(node.moves(), znode.version()))
                .orElseGet(() -> new MovesSeen.Unreadable(znode.version()));
    }

    private CompletableFuture<Optional<ElectionSeen>> askedElection() {
        return znodes.read(Paths.PREFERRED_ELECTION).thenApply(found -> found.map(znode -> new ElectionSeen(rubbish
                .read(
                        znode, PreferredElectionNode::parse).map(ClusterReader::partitions).orElse(null), znode
                                .version())));
    }

    private static List<TopicPartition> partitions(PreferredElectionNode node) {
        return node.partitions().stream().map(entry -> new TopicPartition(entry.topic(), entry.partition())).toList();
    }

    private CompletableFuture<Set<String>> orphanedIds() {
        // The copies first: one that is made meanwhile has its topic by the time that topics are looked at.
        return znodes.children(Paths.TOPIC_IDS).thenCombine(znodes.children(Paths.TOPICS), (copies, topics) -> {
            var orphans = new HashSet<>(copies);
            topics.forEach(orphans::remove);
            return orphans;
        });
    }

    /// A block that cannot be read must not make ids be given twice: those of Kafka's start at 0, so a fresh start could
    /// only be told from rubbish by a person.
    private ProducerIds producerIds(Optional<Znode> found) {
        var znode = found.orElseThrow(() -> new IllegalStateException("no znode path=" + Paths.PRODUCER_IDS));
        var block = rubbish.read(znode, ProducerIdBlock::parse);
        long next = block.isEmpty() ? Long.MAX_VALUE : block.get().map(ProducerIdBlock::last).orElse(-1L) + 1;
        return new ProducerIds(next, znode.version());
    }

    private CompletableFuture<String> clusterId() {
        return znodes.read(Paths.CLUSTER_ID)
                .thenCompose(found -> found.isPresent()
                        ? done(ClusterIdNode.parse(found.get().data()).id())
                        : createClusterId());
    }

    private CompletableFuture<String> createClusterId() {
        var node = new ClusterIdNode(TopicIds.text(ids.get()));
        return znodes.ensure("/cluster")
                .thenCompose(_ -> znodes.create(Paths.CLUSTER_ID, node.json()))
                .handle((_, failure) -> failure)
                .thenCompose(failure -> {
                    if (failure == null) {
                        return done(node.id());
                    }
                    // Another one was faster.
                    return isRefused(failure) ? clusterId() : CompletableFuture.failedFuture(failure);
                });
    }

    private static boolean isRefused(Throwable failure) {
        return failure instanceof ZnodeRefused || failure.getCause() instanceof ZnodeRefused;
    }

    private static <T> CompletableFuture<T> done(T value) {
        return CompletableFuture.completedFuture(value);
    }
}
