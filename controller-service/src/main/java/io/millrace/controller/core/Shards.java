package io.millrace.controller.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import io.millrace.controller.core.Observation.ShardsSeen;
import io.millrace.controller.shard.Owners;
import io.millrace.controller.shard.ShardAssignment;
import io.millrace.metadata.command.BalanceShards;
import io.millrace.metadata.command.BalanceShards.ShardMove;
import io.millrace.metadata.command.ShardsPrepared;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.NodeImage;
import io.millrace.metadata.image.NodeState;
import io.millrace.metadata.image.Role;
import io.millrace.metadata.image.ShardImage;
import io.millrace.metadata.image.ShardKind;
import io.millrace.metadata.record.MetadataRecord.ShardPut;

/// Who owns which shard. A shard that is served goes elsewhere in two steps: a successor is named, which reads along, and
/// once it says that it is ready the shard is its own under the next epoch. Who prepares what is in memory alone: after a
/// takeover it is decided again.
final class Shards {
    private Shards() {}

    /// Gives shards without an owner one, and names successors towards an even spread.
    ///
    /// @param mostMoves how many handovers may be under way from coordinators that go on
    static void settle(Draft draft, int mostMoves) {
        for (var kind : ShardKind.values()) {
            settle(draft, kind, mostMoves);
        }
    }

    private static void settle(Draft draft, ShardKind kind, int mostMoves) {
        var topic = draft.image().topic(kind.topic());
        int count = topic.map(found -> found.partitions().size()).orElse(0);
        if (topic.isPresent() && count == 0) {
            // It cannot be read. The shards' epochs must outlast that.
            return;
        }
        put(draft, kind, ShardAssignment.assign(all(draft, kind), count, owners(draft.image()), mostMoves));
    }

    /// Those that are drained serve on as those that stop do, as long as somebody else is there.
    private static Owners owners(ClusterImage image) {
        var nodes = image.nodes().of(Role.COORDINATOR);
        var active = nodes.stream().filter(NodeImage::active).collect(Collectors.partitioningBy(node -> Drains
                .isDrained(image, node), Collectors.mapping(NodeImage::id, Collectors.toCollection(TreeSet::new))));
        var drained = active.getOrDefault(true, new TreeSet<>());
        var undrained = active.getOrDefault(false, new TreeSet<>());
        var leaving = nodes.stream().filter(node -> node.state() == NodeState.SHUTTING_DOWN).map(NodeImage::id).collect(
                Collectors.toCollection(TreeSet::new));
        if (undrained.isEmpty()) {
            return new Owners(drained, leaving);
        }
        leaving.addAll(drained);
        return new Owners(undrained, leaving);
    }

    /// Names successors towards an even spread, as far as that is asked for, and tells of all that are named.
    static Answer<BalanceShards.Result> balance(Draft draft, BalanceShards command) {
        var start = draft.decision();
        settle(draft, command.mostMoves());
        var moves = new ArrayList<ShardMove>();
        for (var kind : ShardKind.values()) {
            draft.image().shards(kind).all().stream().filter(shard -> shard.hasOwner() && shard.hasSuccessor()).forEach(
                    shard -> moves.add(new ShardMove(kind, shard.shard(), shard.owner(), shard.successor())));
        }
        return Answer.atOnce(command.validateOnly() ? start : draft.decision(), new BalanceShards.Result(moves));
    }

    /// @throws io.millrace.metadata.command.CommandRefused where that life of the coordinator is not registered
    static Answer<ShardsPrepared.Result> prepared(Draft draft, ShardsPrepared command) {
        var node = draft.image().coordinator(command.nodeId()).orElseThrow(() -> NodeCommands.notRegistered(
                "coordinator=" + command.nodeId()));
        NodeCommands.checkLife(node.epoch(), command.nodeEpoch(), "coordinator=" + node.id());
        var ready = Set.copyOf(command.shards());
        int handedOver = 0;
        for (var kind : ShardKind.values()) {
            var next = new ArrayList<ShardImage>();
            for (var shard : draft.image().shards(kind).all()) {
                boolean goes = shard.successor() == node.id() && ready.contains(
                        new ShardsPrepared.Prepared(kind, shard.shard(), shard.epoch() + 1));
                next.add(goes ? shard.handedTo(node.id()) : shard);
                handedOver += goes ? 1 : 0;
            }
            put(draft, kind, next);
        }
        return Answer.atOnce(draft.decision(), new ShardsPrepared.Result(handedOver));
    }

    /// Takes over what ZooKeeper says, which knows of no successors.
    static void seen(Draft draft, ShardKind kind, ShardsSeen seen) {
        draft.update(state -> state.withShards(kind, seen.version()));
        for (var shard : seen.shards()) {
            var known = draft.image().shards(kind).shard(shard.shard());
            if (known.filter(now -> sameOwner(now, shard)).isEmpty()) {
                draft.record(new ShardPut(kind, shard));
            }
        }
    }

    private static List<ShardImage> all(Draft draft, ShardKind kind) {
        return List.copyOf(draft.image().shards(kind).all());
    }

    private static void put(Draft draft, ShardKind kind, List<ShardImage> next) {
        var image = draft.image().shards(kind);
        var changed = next.stream().filter(shard -> image.shard(shard.shard()).filter(shard::equals).isEmpty())
                .toList();
        if (changed.stream().anyMatch(shard -> image.shard(shard.shard()).filter(now -> sameOwner(now, shard))
                .isEmpty())) {
            int version = draft.state().shardsVersion(kind);
            var written = next.stream().map(shard -> shard.preparedFor(ShardImage.NO_OWNER)).toList();
            draft.write(new StoreWrite.ShardsWrite(kind, written, version));
            draft.update(state -> state.withShards(kind, version + 1));
        }
        changed.forEach(shard -> draft.record(new ShardPut(kind, shard)));
    }

    private static boolean sameOwner(ShardImage one, ShardImage other) {
        return one.owner() == other.owner() && one.epoch() == other.epoch();
    }
}
