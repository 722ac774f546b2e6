package io.millrace.controller.store;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import io.millrace.controller.core.Office;
import io.millrace.controller.core.StoreWrite;
import io.millrace.metadata.image.ConfigResource;
import io.millrace.metadata.image.PartitionImage;
import io.millrace.metadata.znode.ConfigChangeNode;
import io.millrace.metadata.znode.ConfigNode;
import io.millrace.metadata.znode.PartitionStateNode;
import io.millrace.metadata.znode.Paths;
import io.millrace.metadata.znode.ProducerIdBlock;
import io.millrace.metadata.znode.ReassignPartitionsNode;
import io.millrace.metadata.znode.ShardsNode;
import io.millrace.metadata.znode.TopicIds;
import io.millrace.metadata.zookeeper.ZnodeWrite;
import io.millrace.metadata.zookeeper.Znodes;

/// A decision's writes as writes of znodes. Folders on the way that an interrupted controller may have left are looked up
/// first, since a multi fails at what is there already.
final class WritePlan {
    private final Office office;
    private final Set<String> present;
    private final Map<String, List<String>> partitionsOf;
    private final List<ZnodeWrite> writes = new ArrayList<>();

    private WritePlan(Office office, Set<String> present, Map<String, List<String>> partitionsOf) {
        this.office = office;
        this.present = new HashSet<>(present);
        this.partitionsOf = partitionsOf;
    }

    static CompletableFuture<List<ZnodeWrite>> of(List<StoreWrite> writes, Office office, Znodes znodes) {
        return partitionsToDelete(writes, znodes).thenCompose(partitionsOf -> {
            var unsure = unsure(writes, partitionsOf);
            return znodes.readAll(unsure).thenApply(found -> {
                var present = new HashSet<String>();
                found.forEach(znode -> znode.ifPresent(there -> present.add(there.path())));
                var plan = new WritePlan(office, present, partitionsOf);
                writes.forEach(plan::add);
                return List.copyOf(plan.writes);
            });
        });
    }

    private static CompletableFuture<Map<String, List<String>>> partitionsToDelete(List<StoreWrite> writes,
            Znodes znodes) {
        var found = CompletableFuture.<Map<String, List<String>>>completedFuture(new HashMap<>());
        for (var write : writes) {
            if (write instanceof StoreWrite.TopicDeletion(String topic)) {
                found = found.thenCombine(znodes.children(Paths.partitions(topic)), (all, names) -> {
                    all.put(topic, names);
                    return all;
                });
            }
        }
        return found;
    }

    /// Paths of which a plan must know whether they are there.
    private static List<String> unsure(List<StoreWrite> writes, Map<String, List<String>> partitionsOf) {
        var created = new HashSet<String>();
        var paths = new ArrayList<String>();
        for (var write : writes) {
            switch (write) {
                case StoreWrite.TopicWrite topic when topic.version() == StoreWrite.CREATE -> created.add(topic
                        .topic());
                case StoreWrite.StateWrite state when state.partition().partitionEpoch() == 0 && !created.contains(state
                        .topic()) -> {
                    paths.add(Paths.partitions(state.topic()));
                    paths.add(Paths.partition(state.topic(), state.partition().partition()));
                }
                case StoreWrite.TopicIdCopy copy -> paths.add(Paths.topicId(copy.topic()));
                case StoreWrite.TopicIdForgotten(String topic) -> paths.add(Paths.topicId(topic));
                case StoreWrite.TopicDeletion(String topic) -> {
                    paths.addAll(around(topic));
                    partitionsOf.getOrDefault(topic, List.of())
                            .forEach(partition -> paths.add(Paths.partitions(topic) + "/" + partition + "/state"));
                }
                case StoreWrite.TopicWrite _,StoreWrite.StateWrite _,StoreWrite.ConfigWrite _,StoreWrite.DeletionRefused _,StoreWrite.ShardsWrite _,StoreWrite.ProducerIdsWrite _,StoreWrite.AskedMovesWrite _,StoreWrite.ElectionDone _ -> {
                    // The decision knew what is there.
                }
            }
        }
        return paths.stream().distinct().toList();
    }

    /// What goes with a topic, in the order in which it goes once the partitions are gone. The mark is last: as long as
    /// it is there, whoever is controller finishes the deletion.
    private static List<String> around(String topic) {
        return List.of(Paths.partitions(topic), Paths.topic(topic), Paths.config(ConfigResource.topic(topic)), Paths
                .topicId(topic), Paths.deleteTopic(topic));
    }

    private void add(StoreWrite write) {
        switch (write) {
            case StoreWrite.TopicWrite topic -> put(Paths.topic(topic.topic()), topic.node().json(), topic.version());
            case StoreWrite.StateWrite(String topic, PartitionImage partition) -> addState(topic, partition);
            case StoreWrite.TopicIdCopy copy -> {
                var path = Paths.topicId(copy.topic());
                put(path, TopicIds.text(copy.id()), present.contains(path) ? ZnodeWrite.ANY_VERSION : StoreWrite.CREATE,
                        present.contains(path));
                present.add(path);
            }
            case StoreWrite.TopicIdForgotten(String topic) -> delete(Paths.topicId(topic));
            case StoreWrite.ConfigWrite config -> addConfig(config);
            case StoreWrite.TopicDeletion(String topic) -> addDeletion(topic);
            case StoreWrite.DeletionRefused(String topic) -> writes.add(new ZnodeWrite.Delete(Paths.deleteTopic(topic),
                    ZnodeWrite.ANY_VERSION));
            case StoreWrite.ShardsWrite shards -> put(Paths.shards(shards.kind()), new ShardsNode(shards.shards())
                    .json(), shards
                            .version());
            case StoreWrite.AskedMovesWrite(var moves, int version) -> writes.add(moves.isEmpty()
                    ? new ZnodeWrite.Delete(Paths.REASSIGN_PARTITIONS, version)
                    : new ZnodeWrite.Set(Paths.REASSIGN_PARTITIONS, new ReassignPartitionsNode(moves).json(), version));
            case StoreWrite.ElectionDone(int version) -> writes.add(new ZnodeWrite.Delete(Paths.PREFERRED_ELECTION,
                    version));
            case StoreWrite.ProducerIdsWrite ids -> put(Paths.PRODUCER_IDS, new ProducerIdBlock(ids.node(), ids.first(),
                    ids.last()).json(), ids.version());
        }
    }

    private void addState(String topic, PartitionImage partition) {
        var json = new PartitionStateNode(partition.leader(), partition.leaderEpoch(), office.epoch(), partition.isr(),
                partition.elr()).json();
        if (partition.partitionEpoch() == 0) {
            ensure(Paths.partitions(topic));
            ensure(Paths.partition(topic, partition.partition()));
        }
        put(Paths.partitionState(topic, partition.partition()), json, partition.partitionEpoch() - 1);
    }

    private void addConfig(StoreWrite.ConfigWrite config) {
        put(Paths.config(config.resource()), new ConfigNode(config.values()).json(), config.version());
        if (config.announced()) {
            var change = new ConfigChangeNode(config.resource());
            writes.add(new ZnodeWrite.CreateSequential(Paths.configChange(), change.json()));
        }
    }

    private void addDeletion(String topic) {
        var partitions = partitionsOf.getOrDefault(topic, List.of());
        var mark = Paths.deleteTopic(topic);
        // Where one multi does not hold it all, the mark makes the next controller finish what a crash interrupts.
        if (2 * partitions.size() + around(topic).size() > Znodes.MAX_WRITES && !present.contains(mark)) {
            writes.add(new ZnodeWrite.Create(mark, ""));
            present.add(mark);
        }
        for (var partition : partitions) {
            var path = Paths.partitions(topic) + "/" + partition;
            delete(path + "/state");
            writes.add(new ZnodeWrite.Delete(path, ZnodeWrite.ANY_VERSION));
        }
        around(topic).forEach(this::delete);
    }

    private void delete(String path) {
        if (present.remove(path)) {
            writes.add(new ZnodeWrite.Delete(path, ZnodeWrite.ANY_VERSION));
        }
    }

    private void ensure(String folder) {
        if (present.add(folder)) {
            writes.add(new ZnodeWrite.Create(folder, ""));
        }
    }

    private void put(String path, String text, int version) {
        put(path, text, version, version != StoreWrite.CREATE);
    }

    private void put(String path, String text, int version, boolean exists) {
        writes.add(exists ? new ZnodeWrite.Set(path, text, version) : new ZnodeWrite.Create(path, text));
    }
}
