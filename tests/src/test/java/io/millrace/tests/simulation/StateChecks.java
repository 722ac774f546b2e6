package io.millrace.tests.simulation;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import io.millrace.metadata.znode.PartitionStateNode;
import io.millrace.metadata.znode.Paths;
import io.millrace.metadata.znode.Place;
import io.millrace.metadata.znode.TopicNode;
import io.millrace.metadata.zookeeper.SimulatedZooKeeper;
import io.millrace.metadata.zookeeper.Znode;

/// What must hold of the states of partitions in ZooKeeper after every write: an ISR that is not empty, with the leader in
/// it; leader epochs that never go back, and one leader for each.
final class StateChecks {
    private final World world;
    private final Committed committed;
    private final SimulatedZooKeeper zookeeper;
    private final Map<PartitionKey, PartitionStateNode> newest = new LinkedHashMap<>();
    private final Map<Reign, Integer> leaders = new HashMap<>();
    private final Damage damage = new Damage();

    private record Reign(PartitionKey partition, int leaderEpoch) {}

    StateChecks(World world, Committed committed) {
        this.committed = committed;
        this.world = world;
        zookeeper = world.zookeeper();
        zookeeper.onChange(this::changed);
    }

    /// The states of all partitions of topics that are there.
    Map<PartitionKey, PartitionStateNode> states() {
        return newest;
    }

    Damage damage() {
        return damage;
    }

    private void changed(String path) {
        switch (Place.of(path)) {
            case Place.PartitionState state -> zookeeper.read(path).ifPresent(node -> check(state, node));
            case Place.Topic(String name) when zookeeper.read(path).isEmpty() -> forget();
            default -> {
                // Nothing that is checked.
            }
        }
    }

    private void forget() {
        var there = zookeeper.children(Paths.TOPICS).stream().map(name -> zookeeper.read(Paths.topic(name))).flatMap(
                Optional::stream).map(node -> TopicNode.parse(node.data()).topicId()).flatMap(Optional::stream)
                .toList();
        var gone = newest.keySet().stream().filter(partition -> !there.contains(partition.topicId())).toList();
        gone.forEach(partition -> {
            newest.remove(partition);
            damage.deleted(partition);
        });
    }

    private void check(Place.PartitionState place, Znode node) {
        var topic = zookeeper.read(Paths.topic(place.topic())).map(znode -> TopicNode.parse(znode.data()));
        UUID id = topic.flatMap(TopicNode::topicId).orElse(null);
        if (id == null) {
            return;
        }
        var state = PartitionStateNode.parse(node.data());
        var where = "topic=" + place.topic() + " partition=" + place.partition() + " state=" + state;
        world.trace().say("state topic=%s partition=%d leader=%d epoch=%d isr=%s version=%d", place.topic(), place
                .partition(), state.leader(), state.leaderEpoch(), state.isr(), node.version());
        if (state.isr().isEmpty()) {
            throw new Violation("%s: nobody is in sync", where);
        }
        if (state.leader() >= 0 && !state.isr().contains(state.leader())) {
            throw new Violation("%s: the leader is not in sync", where);
        }
        var key = new PartitionKey(id, place.partition());
        var before = newest.put(key, state);
        damage.changed(key, state);
        if (before != null && before.leaderEpoch() > state.leaderEpoch()) {
            throw new Violation("%s: leader epoch goes back from %d", where, before.leaderEpoch());
        }
        if (state.leader() >= 0) {
            committed.of(key).elected(state.leaderEpoch());
            var other = leaders.putIfAbsent(new Reign(key, state.leaderEpoch()), state.leader());
            if (other != null && other != state.leader()) {
                throw new Violation("%s: that epoch was broker=%d's", where, other);
            }
        }
    }
}
