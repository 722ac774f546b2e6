package io.millrace.controller.shard;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.millrace.metadata.image.ShardImage;

/// Spreads shards over coordinators: in the end counts differ by at most one, and no more shards move than that asks for.
/// Shards whose owner is gone get one at once. One that is served stays where it is until its successor has read along and
/// says so; few leave a coordinator that goes on at a time.
public final class ShardAssignment {
    private ShardAssignment() {}

    /// @param now the shards as they are, in any order; unknown ones (a new topic) may be missing
    /// @param count how many shards there must be; shards beyond it (of a topic that was deleted) lose their owner but
    ///        keep their epoch, which must not go back should they return
    /// @param mostMoves how many handovers may be under way from coordinators that go on, those before it included
    /// @return all shards, by number
    public static List<ShardImage> assign(List<ShardImage> now, int count, Owners owners, int mostMoves) {
        var shards = complete(now, count);
        var owned = new HashMap<Integer, List<Integer>>();
        owners.active().forEach(coordinator -> owned.put(coordinator, new ArrayList<>()));
        var homeless = new ArrayDeque<Integer>();
        int moves = 0;
        for (var shard : shards.subList(0, count)) {
            int goal = goal(shard, owners);
            var mine = owned.get(goal);
            if (mine == null) {
                homeless.add(shard.shard());
            } else {
                mine.add(shard.shard());
                moves += goal != shard.owner() && owners.active().contains(shard.owner()) ? 1 : 0;
            }
        }
        var quotas = quotas(owned, count);
        for (var coordinator : owners.active()) {
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
        return towards(shards, count, owned, owners);
    }

    /// Who has it, or is about to.
    private static int goal(ShardImage shard, Owners owners) {
        return owners.active().contains(shard.successor()) ? shard.successor() : shard.owner();
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

    private static List<ShardImage> towards(List<ShardImage> shards, int count, Map<Integer, List<Integer>> owned,
            Owners owners) {
        var goals = new HashMap<Integer, Integer>();
        owned.forEach((coordinator, mine) -> mine.forEach(shard -> goals.put(shard, coordinator)));
        return shards.stream().map(shard -> {
            int goal = goals.getOrDefault(shard.shard(), ShardImage.NO_OWNER);
            if (shard.shard() < count && owners.serves(shard.owner())) {
                return shard.preparedFor(goal == shard.owner() ? ShardImage.NO_OWNER : goal);
            }
            return goal == ShardImage.NO_OWNER
                    ? new ShardImage(shard.shard(), ShardImage.NO_OWNER, shard.epoch())
                    : shard.handedTo(goal);
        }).toList();
    }
}
