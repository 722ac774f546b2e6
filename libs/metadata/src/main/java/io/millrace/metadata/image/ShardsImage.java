package io.millrace.metadata.image;

import java.util.Collection;
import java.util.List;
import java.util.Optional;

import org.pcollections.PSortedMap;
import org.pcollections.TreePMap;

/// Who coordinates which shard.
///
/// @param byShard by the number of the shard
public record ShardsImage(PSortedMap<Integer, ShardImage> byShard) {
    /// No shard given to anyone.
    public static final ShardsImage EMPTY = new ShardsImage(TreePMap.empty());

    /// The shard that a group or a transactional id belongs to, as Kafka has it (its `Utils.abs`): the absolute value of the hash, modulo the
    /// partitions, where the least integer counts as 0.
    ///
    /// @param partitions of the shards' topic, at least 1
    public static int shardOf(String key, int partitions) {
        int hash = key.hashCode();
        return hash == Integer.MIN_VALUE ? 0 : Math.abs(hash) % partitions;
    }

    /// The shard of that number.
    public Optional<ShardImage> shard(int number) {
        return Optional.ofNullable(byShard.get(number));
    }

    /// All shards, by number.
    public Collection<ShardImage> all() {
        return byShard.values();
    }

    /// The shards of one coordinator, by number.
    public List<ShardImage> ownedBy(int coordinator) {
        return byShard.values().stream().filter(shard -> shard.owner() == coordinator).toList();
    }

    /// With `shard` in place of the one of its number.
    public ShardsImage with(ShardImage shard) {
        return new ShardsImage(byShard.plus(shard.shard(), shard));
    }
}
