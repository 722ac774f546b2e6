package io.millrace.controller.store;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.millrace.controller.core.ControllerState.ProducerIds;
import io.millrace.controller.core.Hint;
import io.millrace.controller.core.Observation;
import io.millrace.controller.core.Observation.ConfigSeen;
import io.millrace.controller.core.Observation.TopicSeen;
import io.millrace.controller.core.StoreWrite;
import io.millrace.metadata.image.ConfigResource;
import io.millrace.metadata.image.NodeImage;
import io.millrace.metadata.znode.ClusterIdNode;
import io.millrace.metadata.znode.ConfigNode;
import io.millrace.metadata.znode.Paths;
import io.millrace.metadata.znode.Place;
import io.millrace.metadata.znode.ProducerIdBlock;
import io.millrace.metadata.znode.ShardsNode;
import io.millrace.metadata.znode.TopicIds;
import io.millrace.metadata.zookeeper.Znode;
import io.millrace.metadata.zookeeper.ZnodeRefused;
import io.millrace.metadata.zookeeper.Znodes;

/// Reads the cluster from ZooKeeper, many nodes at a time.
final class ClusterReader {
    private static final List<String> CONFIG_FOLDERS = Stream.of("topics", "brokers", "clients", "users", "ips",
            "client-metrics", "groups").map(folder -> Paths.CONFIG + "/" + folder).toList();

    private final Znodes znodes;
    private final Rubbish rubbish;
    private final NodeReader nodes;
    private final TopicReader topics;
    private final Supplier<UUID> ids;

    /// @param ids of a cluster that has none yet
    ClusterReader(Znodes znodes, Rubbish rubbish, Supplier<UUID> ids) {
        this.znodes = znodes;
        this.rubbish = rubbish;
        this.ids = ids;
        nodes = new NodeReader(znodes, rubbish);
        topics = new TopicReader(znodes, rubbish);
    }

    CompletableFuture<Observation> parts(Set<Hint> hints) {
        boolean lookAtNodes = false;
        boolean lookAtDeletions = false;
        var names = new ArrayList<String>();
        var resources = new ArrayList<ConfigResource>();
        for (var hint : hints) {
            switch (hint) {
                case Hint.Nodes _ -> lookAtNodes = true;
                case Hint.Deletions _ -> lookAtDeletions = true;
                case Hint.Topic(String name) -> names.add(name);
                case Hint.Config(ConfigResource resource) -> resources.add(resource);
                case Hint.Everything _ -> throw new IllegalArgumentException("everything is no part");
            }
        }
        var registered = lookAtNodes ? nodes.read().thenApply(Optional::of) : done(Optional.<List<NodeImage>>empty());
        var deletions = lookAtDeletions ? znodes.children(Paths.DELETE_TOPICS) : done(List.<String>of());
        return registered.thenCombine(deletions, (found, marked) -> new Observation(found.orElse(null), Map.of(), Map
                .of(),
                new HashSet<>(marked), null))
                .thenCombine(topics.nodesOf(names), ClusterReader::withTopics)
                .thenCombine(configs(resources), ClusterReader::withConfigs);
    }

    CompletableFuture<Observation> everything() {
        return whole().thenCombine(nodes.read(), (whole, found) -> new Observation(found, Map.of(), Map.of(), Set.of(),
                whole))
                .thenCombine(znodes.children(Paths.DELETE_TOPICS), (seen, marked) -> new Observation(seen.nodes(), seen
                        .topics(), seen.configs(), new HashSet<>(marked), seen.whole()))
                .thenCombine(topics.all(), ClusterReader::withTopics)
                .thenCombine(configResources().thenCompose(this::configs), ClusterReader::withConfigs);
    }

    private static Observation withTopics(Observation seen, Map<String, TopicSeen> topics) {
        return new Observation(seen.nodes(), topics, seen.configs(), seen.deletions(), seen.whole());
    }

    private static Observation withConfigs(Observation seen, Map<ConfigResource, ConfigSeen> configs) {
        return new Observation(seen.nodes(), seen.topics(), configs, seen.deletions(), seen.whole());
    }

    private CompletableFuture<Observation.Whole> whole() {
        return clusterId()
                .thenCombine(orphanedIds(), (clusterId, orphans) -> new Observation.Whole(clusterId, orphans, List.of(),
                        StoreWrite.CREATE, new ProducerIds(0, 0)))
                .thenCombine(znodes.readAll(List.of(Paths.GROUP_SHARDS, Paths.PRODUCER_IDS)), (whole, found) -> {
                    var shards = found.getFirst();
                    var owners = shards.flatMap(znode -> rubbish.read(znode, ShardsNode::parse))
                            .map(ShardsNode::shards)
                            .orElse(List.of());
                    return new Observation.Whole(whole.clusterId(), whole.orphanedIds(), owners, shards.map(
                            Znode::version).orElse(StoreWrite.CREATE), producerIds(found.getLast()));
                });
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

    private CompletableFuture<List<ConfigResource>> configResources() {
        var found = done(new ArrayList<String>());
        for (var folder : CONFIG_FOLDERS) {
            found = found.thenCombine(znodes.children(folder), (paths, names) -> {
                names.forEach(name -> paths.add(folder + "/" + name));
                return paths;
            });
        }
        return found.thenCompose(this::withClientsOfUsers).thenApply(paths -> paths.stream().flatMap(path -> Place.of(
                path) instanceof Place.Config(ConfigResource resource) ? Stream.of(resource) : Stream.empty())
                .toList());
    }

    private CompletableFuture<List<String>> withClientsOfUsers(List<String> paths) {
        var found = done(paths);
        for (var path : List.copyOf(paths)) {
            if (path.startsWith(Paths.CONFIG + "/users/")) {
                var clients = path + "/clients";
                found = found.thenCombine(znodes.children(clients), (all, names) -> {
                    names.forEach(name -> all.add(clients + "/" + name));
                    return all;
                });
            }
        }
        return found;
    }

    private CompletableFuture<Map<ConfigResource, ConfigSeen>> configs(List<ConfigResource> resources) {
        return znodes.readAll(resources.stream().map(Paths::config).toList()).thenApply(found -> {
            var seen = new HashMap<ConfigResource, ConfigSeen>();
            for (int index = 0; index < resources.size(); index++) {
                seen.put(resources.get(index), found.get(index).map(this::config).orElseGet(ConfigSeen.Absent::new));
            }
            return seen;
        });
    }

    private ConfigSeen config(Znode znode) {
        return rubbish.read(znode, ConfigNode::parse)
                .<ConfigSeen>map(node -> new ConfigSeen.Present(new TreeMap<>(node.values()), znode.version()))
                .orElseGet(() -> new ConfigSeen.Unreadable(znode.version()));
    }

    static <T> CompletableFuture<T> done(T value) {
        return CompletableFuture.completedFuture(value);
    }
}
