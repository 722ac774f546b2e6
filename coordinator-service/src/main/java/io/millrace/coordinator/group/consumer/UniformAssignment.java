package io.millrace.coordinator.group.consumer;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

import io.millrace.coordinator.group.consumer.Assignor.Candidate;
import io.millrace.coordinator.group.consumer.Assignor.Task;
import io.millrace.coordinator.record.Partitions;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;

/// One run of [Assignor#UNIFORM]: members keep what they had and still read, what is left goes to whoever has least, and
/// then partitions move, one at a time, from members that have at least two more than another reader of the topic. With
/// equal subscriptions that is the least number of moves that evens out.
final class UniformAssignment {
    private final Task task;
    private final Map<Uuid, List<Share>> readers = new TreeMap<>();
    private final Map<String, Share> shares = new TreeMap<>();

    /// What a member has so far.
    private static final class Share {
        private final String id;
        private final Map<Uuid, List<Integer>> partitions = new HashMap<>();
        private int size;

        Share(String id) {
            this.id = id;
        }

        void take(Uuid topic, int partition) {
            partitions.computeIfAbsent(topic, _ -> new ArrayList<>()).add(partition);
            size++;
        }

        void give(Uuid topic, int partition) {
            Objects.requireNonNull(partitions.get(topic)).remove((Object) partition);
            size--;
        }
    }

    UniformAssignment(Task task) {
        this.task = task;
    }

    Map<String, Partitions> assign() {
        for (var member : task.members().values()) {
            var share = new Share(member.id());
            shares.put(member.id(), share);
            member.topics().forEach(topic -> readers.computeIfAbsent(topic, _ -> new ArrayList<>()).add(share));
        }
        var owners = new TreeMap<Uuid, @Nullable Share[]>();
        task.partitions().forEach((topic, count) -> owners.put(topic, new @Nullable Share[count]));
        task.members().values().forEach(member -> keep(member, owners));
        owners.forEach(this::fill);
        for (boolean moved = true; moved;) {
            moved = false;
            for (var topic : owners.entrySet()) {
                moved |= even(topic.getKey(), topic.getValue());
            }
        }
        var targets = new HashMap<String, Partitions>();
        shares.values().forEach(share -> targets.put(share.id, Partitions.of(share.partitions)));
        return targets;
    }

    private void keep(Candidate member, Map<Uuid, @Nullable Share[]> owners) {
        var share = Objects.requireNonNull(shares.get(member.id()));
        member.had().byTopic().forEach((topic, partitions) -> {
            var owner = owners.get(topic);
            if (owner == null || !member.topics().contains(topic)) {
                return;
            }
            for (int partition : partitions) {
                if (partition < owner.length && owner[partition] == null) {
                    owner[partition] = share;
                    share.take(topic, partition);
                }
            }
        });
    }

    private void fill(Uuid topic, @Nullable Share[] owner) {
        for (int partition = 0; partition < owner.length; partition++) {
            if (owner[partition] == null) {
                var least = least(topic);
                if (least == null) {
                    return; // nobody reads it
                }
                owner[partition] = least;
                least.take(topic, partition);
            }
        }
    }

    /// Each move makes the sum of the squares of the sizes smaller, so that it ends.
    private boolean even(Uuid topic, @Nullable Share[] owner) {
        boolean moved = false;
        for (int partition = owner.length - 1; partition >= 0; partition--) {
            var from = owner[partition];
            var to = least(topic);
            if (from != null && to != null && from.size > to.size + 1) {
                from.give(topic, partition);
                to.take(topic, partition);
                owner[partition] = to;
                moved = true;
            }
        }
        return moved;
    }

    private @Nullable Share least(Uuid topic) {
        Share least = null;
        for (var share : readers.getOrDefault(topic, List.of())) {
            if (least == null || share.size < least.size) {
                least = share;
            }
        }
        return least;
    }
}
