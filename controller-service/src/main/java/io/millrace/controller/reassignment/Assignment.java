package io.millrace.controller.reassignment;

import java.util.LinkedHashSet;
import java.util.List;

import io.millrace.metadata.image.PartitionImage;

/// The replicas of a partition, with those that come and those that go while it is being moved: what the topic's node says.
///
/// @param replicas those of the target in its order, then those that go; the first is the preferred leader
/// @param adding replicas that were none before
/// @param removing replicas that will be none after
record Assignment(List<Integer> replicas, List<Integer> adding, List<Integer> removing) {
    Assignment {
        replicas = List.copyOf(replicas);
        adding = List.copyOf(adding);
        removing = List.copyOf(removing);
    }

    static Assignment of(PartitionImage partition) {
        return new Assignment(partition.replicas(), partition.adding(), partition.removing());
    }

    /// Replicas of a partition that is not being moved.
    static Assignment settled(List<Integer> replicas) {
        return new Assignment(replicas, List.of(), List.of());
    }

    boolean moving() {
        return !adding.isEmpty() || !removing.isEmpty();
    }

    /// Where the partition comes from, and goes back to where the move is called off. In Kafka's order, which is not always
    /// the one it had: those that stay come first.
    List<Integer> origin() {
        return without(replicas, adding);
    }

    /// Where the partition goes.
    List<Integer> target() {
        return without(replicas, removing);
    }

    /// On the way to `next`, from where it comes. Of a move that this one replaces, what came for it and is not needed any
    /// more is left out at once.
    Assignment toward(List<Integer> next) {
        var all = new LinkedHashSet<>(next);
        all.addAll(origin());
        var union = List.copyOf(all);
        return new Assignment(union, without(union, origin()), without(union, next));
    }

    private static List<Integer> without(List<Integer> replicas, List<Integer> others) {
        return replicas.stream().filter(replica -> !others.contains(replica)).toList();
    }
}
