package io.millrace.controller.topic;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

import io.millrace.metadata.image.NodeImage;

/// Where replicas go, as Kafka places them: leaders round robin over the brokers from a random start, followers shifted
/// further at each round; where every broker tells its rack, the replicas of a partition on as many racks as there are.
final class Placement {
    private final List<Integer> brokers;
    private final List<String> racks;
    private final int rackCount;

    private Placement(List<Integer> brokers, List<String> racks) {
        this.brokers = brokers;
        this.racks = racks;
        this.rackCount = (int) racks.stream().distinct().count();
    }

    /// @param brokers those that may get replicas, at least one; racks count only where all of them have one
    static Placement over(List<NodeImage> brokers) {
        var sorted = brokers.stream().sorted(Comparator.comparingInt(NodeImage::id)).toList();
        boolean rackAware = sorted.stream().allMatch(broker -> broker.rack() != null);
        var arranged = rackAware ? alternatingRacks(sorted) : sorted;
        // Without racks each broker is its own: the rule for racks then never leaves one out.
        return new Placement(arranged.stream().map(NodeImage::id).toList(), arranged.stream()
                .map(broker -> rackAware ? rackOf(broker) : "broker-" + broker.id())
                .toList());
    }

    /// @param count of partitions to place
    /// @return replicas by partition, the preferred leader first
    List<List<Integer>> place(int count, int replicationFactor, RandomGenerator random) {
        return place(0, count, replicationFactor, random.nextInt(brokers.size()), random.nextInt(brokers.size()));
    }

    /// Goes on where the topic's first partition began, so that a topic grown is placed like one made at that size.
    ///
    /// @param existing how many partitions there are
    /// @param firstLeader preferred leader of partition 0
    List<List<Integer>> grow(int existing, int added, int replicationFactor, int firstLeader) {
        int start = Math.max(0, brokers.indexOf(firstLeader));
        return place(existing, added, replicationFactor, start, start);
    }

    private List<List<Integer>> place(int from, int count, int replicationFactor, int start, int startShift) {
        var placed = new ArrayList<List<Integer>>(count);
        int shift = startShift;
        for (int partition = from; partition < from + count; partition++) {
            if (partition > 0 && partition % brokers.size() == 0) {
                shift++;
            }
            placed.add(replicas((partition + start) % brokers.size(), shift, replicationFactor));
        }
        return placed;
    }

    private List<Integer> replicas(int leaderIndex, int shift, int replicationFactor) {
        var replicas = new ArrayList<Integer>(replicationFactor);
        var usedRacks = new HashSet<String>();
        replicas.add(brokers.get(leaderIndex));
        usedRacks.add(racks.get(leaderIndex));
        for (int step = 0; replicas.size() < replicationFactor; step++) {
            int index = followerIndex(leaderIndex, shift, step);
            boolean rackServes = !usedRacks.contains(racks.get(index)) || usedRacks.size() == rackCount;
            if (rackServes && !replicas.contains(brokers.get(index))) {
                replicas.add(brokers.get(index));
                usedRacks.add(racks.get(index));
            }
        }
        return List.copyOf(replicas);
    }

    private int followerIndex(int leaderIndex, int shift, int step) {
        boolean ownRacks = rackCount == brokers.size();
        int offset = 1 + ((ownRacks ? shift : shift * rackCount) + step) % (brokers.size() - 1);
        return (leaderIndex + offset) % brokers.size();
    }

    /// One broker of each rack in turn.
    private static List<NodeImage> alternatingRacks(List<NodeImage> brokers) {
        var byRack = new TreeMap<String, List<NodeImage>>();
        brokers.forEach(broker -> byRack.computeIfAbsent(rackOf(broker), _ -> new ArrayList<>()).add(broker));
        var arranged = new ArrayList<NodeImage>(brokers.size());
        for (int round = 0; arranged.size() < brokers.size(); round++) {
            for (var rack : byRack.values()) {
                if (round < rack.size()) {
                    arranged.add(rack.get(round));
                }
            }
        }
        return arranged;
    }

    private static String rackOf(NodeImage broker) {
        var rack = broker.rack();
        return rack == null ? "" : rack;
    }
}
