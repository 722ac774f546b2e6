package io.millrace.metadata.image;

import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/// What differs between two images, so that a reader looks only there. The images themselves say how.
///
/// @param topics created, or with a partition that differs
/// @param removedTopics no longer there; their names are in the image before
/// @param nodes registered, gone, or with anything that differs
/// @param configs set, changed or removed
/// @param shards given, taken or handed over
public record Changes(Set<UUID> topics, Set<UUID> removedTopics, Set<NodeKey> nodes, Set<ConfigResource> configs,
        Set<ShardKey> shards) {
    public Changes {
        topics = copy(topics);
        removedTopics = copy(removedTopics);
        nodes = copy(nodes);
        configs = copy(configs);
        shards = copy(shards);
    }

    /// Keeps the order, so that one history always has the same effects in the same order.
    private static <T> Set<T> copy(Set<T> set) {
        return Collections.unmodifiableSet(new LinkedHashSet<>(set));
    }

    /// Compares two images as a whole: costs a look at every entry, so it is for snapshots.
    public static Changes between(ClusterImage before, ClusterImage after) {
        return new Changes(differing(before.topics().byId(), after.topics().byId()),
                missing(before.topics().byId(), after.topics().byId()),
                union(before.nodes().byKey(), after.nodes().byKey()),
                union(before.configs().byResource(), after.configs().byResource()),
                shards(before, after));
    }

    private static Set<ShardKey> shards(ClusterImage before, ClusterImage after) {
        var shards = new HashSet<ShardKey>();
        for (var kind : ShardKind.values()) {
            union(before.shards(kind).byShard(), after.shards(kind).byShard())
                    .forEach(shard -> shards.add(new ShardKey(kind, shard)));
        }
        return shards;
    }

    /// Whether nothing differs but the version, the cluster's id or the active controller.
    public boolean isEmpty() {
        return topics.isEmpty() && removedTopics.isEmpty() && nodes.isEmpty() && configs.isEmpty() && shards.isEmpty();
    }

    private static <K, V> Set<K> differing(Map<K, V> before, Map<K, V> after) {
        var keys = new HashSet<K>();
        after.forEach((key, value) -> {
            if (!value.equals(before.get(key))) {
                keys.add(key);
            }
        });
        return keys;
    }

    private static <K, V> Set<K> missing(Map<K, V> before, Map<K, V> after) {
        var keys = new HashSet<>(before.keySet());
        keys.removeAll(after.keySet());
        return keys;
    }

    private static <K, V> Set<K> union(Map<K, V> before, Map<K, V> after) {
        var keys = differing(before, after);
        keys.addAll(missing(before, after));
        return keys;
    }
}
