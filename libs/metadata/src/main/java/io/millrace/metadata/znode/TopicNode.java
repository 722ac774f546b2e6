package io.millrace.metadata.znode;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;

import io.millrace.metadata.image.PartitionImage;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// `/brokers/topics/T`: the replicas of each partition. Read at versions 1 to 3; written at 3 where it has an id, else at 2.
///
/// @param id null where a tool older than Kafka 2.8 wrote the node
/// @param partitions replicas by partition, preferred leader first; while reassigning the target's, then those to go
/// @param adding replicas that a reassignment brings in, by partition
/// @param removing replicas that a reassignment takes away, by partition
/// @param others keys that are unknown here
public record TopicNode(@Nullable UUID id, SortedMap<Integer, List<Integer>> partitions,
        SortedMap<Integer, List<Integer>> adding, SortedMap<Integer, List<Integer>> removing,
        Map<String, JsonNode> others) {
    private static final Set<String> KNOWN = Set.of("version", "topic_id", "partitions", "adding_replicas",
            "removing_replicas");

    public TopicNode {
        partitions = Collections.unmodifiableSortedMap(new TreeMap<>(partitions));
        adding = Collections.unmodifiableSortedMap(new TreeMap<>(adding));
        removing = Collections.unmodifiableSortedMap(new TreeMap<>(removing));
        others = Map.copyOf(others);
    }

    /// A topic that is not being reassigned.
    public TopicNode(UUID id, Map<Integer, List<Integer>> partitions) {
        this(id, new TreeMap<>(partitions), new TreeMap<>(), new TreeMap<>(), Map.of());
    }

    /// @throws MalformedZnode where it cannot be read, or its partitions are not numbered from 0 without a gap
    public static TopicNode parse(String json) {
        var fields = Fields.of("topic", json);
        var partitions = fields.intListsOf("partitions");
        if (!partitions.isEmpty() && (partitions.firstKey() != 0 || partitions.lastKey() != partitions.size() - 1)) {
            throw new MalformedZnode("topic with partitions " + partitions.keySet());
        }
        return new TopicNode(fields.optionalText("topic_id").map(TopicIds::parse).orElse(null), partitions,
                fields.intListsOf("adding_replicas"), fields.intListsOf("removing_replicas"), fields.others(KNOWN));
    }

    /// The id, where the node has one.
    public Optional<UUID> topicId() {
        return Optional.ofNullable(id);
    }

    /// The same node with that id.
    public TopicNode identified(UUID known) {
        return new TopicNode(known, partitions, adding, removing, others);
    }

    /// The same node with those replicas.
    public TopicNode with(SortedMap<Integer, List<Integer>> replicas) {
        return new TopicNode(id, replicas, adding, removing, others);
    }

    /// The same node with these partitions as they are, and all others as they were.
    public TopicNode placed(Iterable<PartitionImage> placed) {
        var replicas = new TreeMap<>(partitions);
        var coming = new TreeMap<>(adding);
        var going = new TreeMap<>(removing);
        for (var partition : placed) {
            replicas.put(partition.partition(), partition.replicas());
            put(coming, partition.partition(), partition.adding());
            put(going, partition.partition(), partition.removing());
        }
        return new TopicNode(id, replicas, coming, going, others);
    }

    private static void put(SortedMap<Integer, List<Integer>> to, int partition, List<Integer> replicas) {
        if (replicas.isEmpty()) {
            to.remove(partition);
        } else {
            to.put(partition, replicas);
        }
    }

    /// As it is stored.
    public String json() {
        var object = Fields.object().put("version", id == null ? 2 : 3);
        if (id != null) {
            object.put("topic_id", TopicIds.text(id));
        }
        put(object, "partitions", partitions);
        put(object, "adding_replicas", adding);
        put(object, "removing_replicas", removing);
        return Fields.write(object, others);
    }

    private static void put(ObjectNode object, String name, SortedMap<Integer, List<Integer>> replicas) {
        var inner = object.putObject(name);
        replicas.forEach((partition, brokers) -> brokers.forEach(inner.putArray(partition.toString())::add));
    }
}
