package io.millrace.controller.shard;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;

import io.millrace.metadata.image.ShardImage;

/// Spreads shards over coordinators: in the end counts differ by at most one, and no more shards move than that asks for.
/// Shards without an owner get one at once; those that have one move a few at a time, since each is out of work while its
/// new owner loads it, and one that has just started is slow at it.
public final class ShardAssignment {
    private ShardAssignment() {}

    /// @param now the shards as they are, in any order; unknown ones (a new topic) may be missing
    /// @param count how many shards there must be; shards beyond it (of a topic that was deleted) lose their owner but
    ///        keep their epoch, which must not go back should they return
    /// @param coordinators ids of those that may own shards
    /// @param mostMoves how many shards may leave a coordinator that goes on
    /// @return all shards, by number
    public static List<ShardImage> assign(List<ShardImage> now, int count, SortedSet<Integer> coordinators,
            int mostMoves) {
        var shards = complete(now, count);
        var owned = new HashMap<Integer, List<Integer>>();
        coordinators.forEach(coordinator -> owned.put(coordinator, new ArrayList<>()));
        var homeless = new ArrayDeque<Integer>();
        for (var shard : shards.subList(0, count)) {
            owned.getOrDefault(shard.owner(), new ArrayList<>()).add(shard.shard());
            if (!owned.containsKey(shard.owner())) {
                homeless.add(shard.shard());
            }
        }
        var quotas = quotas(owned, count);
        int moves = 0;
        for (var coordinator : coordinators) {
            var mine = owned.getOrDefault(coordinator, new ArrayList<>());
            for (; moves < mostMoves && mine.size() > quotas.getOrDefault(coordinator, 0); moves++) {
                homeless.add(mine.removeLast());
            }
        }
        quotas.forEach((coordinator, quota) -> {
            var mine = owned.getOrDefault(coordinator, List.of());
            while (mine.size() < quota && !homeless.isEmpty()) {
                mine.add(homeless.remove());
            }
        });
        return withOwners(shards, owned);
    }

    private static List<ShardImage> complete(List<ShardImage> now, int count) {
        var shards = new ArrayList<>(now.stream().sorted(Comparator.comparingInt(ShardImage::shard)).toList());
        for (int shard = shards.size(); shard < count; shard++) {
            shards.add(new ShardImage(shard, ShardImage.NO_OWNER, 0));
        }
        return shards;
    }

    /// The larger shares go to those that own most already: fewer shards move.
    private static Map<Integer, Integer> quotas(Map<Integer, List<Integer>> owned, int count) {
        var byLoad = owned.entrySet()
                .stream()
                .sorted(Comparator.<Map.Entry<Integer, List<Integer>>>comparingInt(entry -> -entry.getValue().size())
                        .thenComparingInt(Map.Entry::getKey))
                .map(Map.Entry::getKey)
                .toList();
        var quotas = new LinkedHashMap<Integer, Integer>();
        for (int rank = 0; rank < byLoad.size(); rank++) {
            quotas.put(byLoad.get(rank), count / byLoad.size() + (rank < count % byLoad.size() ? 1 : 0));
        }
        return quotas;
    }

    private static List<ShardImage> withOwners(List<ShardImage> shards, Map<Integer, List<Integer>> owned) {
        var owners = new HashMap<Integer, Integer>();
        owned.forEach((coordinator, mine) -> mine.forEach(shard -> owners.put(shard, coordinator)));
        return shards.stream().map(shard -> {
            int owner = owners.getOrDefault(shard.shard(), ShardImage.NO_OWNER);
            if (owner == shard.owner()) {
                return shard;
            }
            return new ShardImage(shard.shard(), owner, owner == ShardImage.NO_OWNER
                    ? shard.epoch()
                    : shard.epoch() + 1);
        }).toList();
    }
}
