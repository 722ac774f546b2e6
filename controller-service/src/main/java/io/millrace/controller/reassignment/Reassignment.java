package io.millrace.controller.reassignment;

import java.util.List;

import io.millrace.controller.partition.Brokers;
import io.millrace.metadata.image.PartitionImage;

/// How far a partition is on its way to other brokers. Nothing of it is kept but what the partition itself says, so that a
/// controller that takes over goes on where the one before it stopped.
///
///     Settled ──[#toward]──► Copying ──targets in sync──► Waiting ──one may lead──► Arrived ──[#next]──► Settled
///        ▲                      │                            │
///        └──────[#callOff]──────┴────────────────────────────┘
public sealed interface Reassignment {

    /// It is not being moved.
    record Settled() implements Reassignment {}

    /// Replicas of the target have yet to catch up.
    ///
    /// @param missing those of the target that are not in the ISR
    record Copying(List<Integer> missing) implements Reassignment {
        public Copying {
            missing = List.copyOf(missing);
        }
    }

    /// All of the target are in sync, and none of them can lead now: whoever leads goes on.
    record Waiting() implements Reassignment {}

    /// The target can take over.
    record Arrived() implements Reassignment {}

    /// Where it is with these brokers.
    static Reassignment of(PartitionImage partition, Brokers brokers) {
        var assignment = Assignment.of(partition);
        if (!assignment.moving()) {
            return new Settled();
        }
        var target = assignment.target();
        var missing = target.stream().filter(replica -> !partition.isr().contains(replica)).toList();
        if (!missing.isEmpty()) {
            return new Copying(missing);
        }
        boolean led = target.contains(partition.leader()) || target.stream().anyMatch(brokers.mayLead()::test);
        return led ? new Arrived() : new Waiting();
    }

    /// The partition as it must be with these brokers; `now` itself where nothing changes yet. What goes leaves the ISR and
    /// the replicas in one step, and a leader among it hands over.
    static PartitionImage next(PartitionImage now, Brokers brokers) {
        return switch (of(now, brokers)) {
            case Settled _,Copying _,Waiting _ -> now;
            case Arrived _ -> Placing.of(now, Assignment.settled(Assignment.of(now).target()), brokers, false);
        };
    }

    /// The partition on its way to `target`, whether it is on its way already or not. It may have arrived with that: see
    /// [#next].
    ///
    /// @param target checked already, see [Targets]
    /// @param unclean whether a replica that may miss records may lead where none else can
    /// @throws io.millrace.wire.error.Refused INVALID_REPLICA_ASSIGNMENT where that would leave nobody in sync
    static PartitionImage toward(List<Integer> target, PartitionImage now, Brokers brokers, boolean unclean) {
        return Placing.of(now, Assignment.of(now).toward(target), brokers, unclean);
    }

    /// The partition back where it came from.
    ///
    /// @param unclean whether a replica that may miss records may lead where none else can
    /// @throws io.millrace.wire.error.Refused NO_REASSIGNMENT_IN_PROGRESS; INVALID_REPLICA_ASSIGNMENT where that would leave
    ///         nobody in sync
    static PartitionImage callOff(PartitionImage now, Brokers brokers, boolean unclean) {
        Targets.checkMoving(now);
        return Placing.of(now, Assignment.settled(Assignment.of(now).origin()), brokers, unclean);
    }

    /// Whether the partition is being moved to exactly these replicas, in this order.
    static boolean isToward(List<Integer> target, PartitionImage now) {
        var assignment = Assignment.of(now);
        return assignment.moving() && assignment.target().equals(target);
    }

    /// How many replicas the partition is to have in the end.
    static int replicationFactor(PartitionImage partition) {
        return Assignment.of(partition).target().size();
    }
}
