package io.millrace.controller.core;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import io.millrace.controller.node.NodeLife;
import io.millrace.controller.partition.Leadership;
import io.millrace.metadata.command.ControlledShutdown;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.NodeKey;
import io.millrace.metadata.image.PartitionImage;
import io.millrace.metadata.image.ShardKind;
import io.millrace.metadata.image.TopicImage;

/// Nodes that are about to stop. A coordinator keeps its shards until its successors are ready for them. A broker hands over
/// what it leads and only then leaves the ISRs that it follows in, so that nobody waits for it; in batches, so that others
/// get their turn. Batches are large: each costs every node a change of metadata, and clients a look for new leaders.
final class Shutdowns {
    static final int HANDED_OVER_AT_ONCE = 1_000;
    /// A broker that goes on serving until its successors know of it turns nobody away.
    private static final long APPLIED_WAIT_MILLIS = 1_000;

    private final Settlement settlement;

    Shutdowns(Settlement settlement) {
        this.settlement = settlement;
    }

    /// A partition and what it is to become.
    private record Change(TopicImage topic, PartitionImage partition) {}

    /// @throws io.millrace.metadata.command.CommandRefused where that node is not registered, or another life of it asks
    Answer<ControlledShutdown.Result> asked(Draft draft, ControlledShutdown command) {
        var key = new NodeKey(command.role(), command.nodeId());
        var before = draft.image();
        var node = before.nodes().node(key.role(), key.id()).orElseThrow(() -> NodeCommands.notRegistered(key
                .toString()));
        NodeCommands.checkLife(node.epoch(), command.nodeEpoch(), key.toString());
        NodeDecisions.change(draft, key, node.epoch(), NodeLife::shutdownAsked);
        settlement.settle(draft, before);
        return switch (key.role()) {
            case BROKER -> handOver(draft, key.id());
            case COORDINATOR -> Answer.atOnce(draft.decision(), new ControlledShutdown.Result(shards(draft
                    .image(), key.id())));
            case CONTROLLER, ADMIN -> Answer.atOnce(draft.decision(), new ControlledShutdown.Result(0));
        };
    }

    private static int shards(ClusterImage image, int coordinator) {
        return Math.toIntExact(Arrays.stream(ShardKind.values())
                .flatMap(kind -> image.shards(kind).ownedBy(coordinator).stream())
                .filter(shard -> !shard.hasSuccessor())
                .count());
    }

    private static Answer<ControlledShutdown.Result> handOver(Draft draft, int broker) {
        var changes = changes(draft, broker);
        var now = changes.next();
        now.forEach(change -> draft.putPartition(change.topic().name(), change.topic().id(), change.partition()));
        boolean goesOn = now.size() < changes.count();
        var result = new ControlledShutdown.Result(goesOn ? 0 : remaining(draft, broker));
        return new Answer<>(draft.decision(), result, result, APPLIED_WAIT_MILLIS, goesOn);
    }

    /// What is to change of the partitions that a broker leads, and of those that it follows.
    private record Pending(List<Change> led, List<Change> followed) {
        int count() {
            return led.size() + followed.size();
        }

        List<Change> next() {
            var first = led.isEmpty() ? followed : led;
            return first.subList(0, Math.min(HANDED_OVER_AT_ONCE, first.size()));
        }
    }

    private static Pending changes(Draft draft, int broker) {
        var image = draft.image();
        var live = draft.live();
        var pending = new Pending(new ArrayList<>(), new ArrayList<>());
        for (var topic : topics(draft, image, broker)) {
            for (var now : topic.partitions()) {
                var next = Leadership.handedOver(now, broker, live.of(topic.id(), now.partition()));
                if (!next.equals(now)) {
                    (now.leader() == broker ? pending.led() : pending.followed()).add(new Change(topic, next));
                }
            }
        }
        return pending;
    }

    private static int remaining(Draft draft, int broker) {
        return Math.toIntExact(topics(draft, draft.image(), broker).stream()
                .flatMap(topic -> topic.partitions().stream())
                .filter(partition -> partition.leader() == broker && partition.replicas().size() > 1)
                .count());
    }

    private static List<TopicImage> topics(Draft draft, ClusterImage image, int broker) {
        return draft.state().topicsByBroker().of(broker).stream().flatMap(id -> image.topic(id).stream()).toList();
    }
}
