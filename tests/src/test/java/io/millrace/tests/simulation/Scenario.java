package io.millrace.tests.simulation;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/// What a simulation is about.
///
/// @param brokers how many there are
/// @param controllers how many there are
/// @param replicas of each topic
/// @param minInSync `min.insync.replicas` of each topic
/// @param faults what may go wrong
/// @param duration of the time in which it does
/// @param flaw what is wrong with the nodes
record Scenario(int brokers, int controllers, int replicas, int minInSync, List<Fault> faults, Duration duration,
        Flaw flaw) {
    /// Nothing copies the data: all of it is there as long as no disk loses any.
    static final Scenario ONE_REPLICA = new Scenario(3, 3, 1, 1, List.of(Fault.KILL_BROKER, Fault.STOP_BROKER,
            Fault.KILL_CONTROLLER, Fault.STOP_CONTROLLER, Fault.CUT, Fault.SLOW, Fault.BAD_NETWORK,
            Fault.EXPIRE_SESSION, Fault.EXPIRE_ALL, Fault.STOP_ZOOKEEPER, Fault.TERMINATE_BROKER), Duration.ofSeconds(
                    7), Flaw.NONE);

    /// Three copies, two of which must be there. Anything may happen to anybody that leaves the disks as they are.
    static final Scenario THREE_REPLICAS = new Scenario(3, 2, 3, 2, Stream.of(Fault.values()).filter(
            fault -> fault != Fault.POWER_LOSS && !fault.isOfCoordinators()).toList(), Duration.ofSeconds(7),
            Flaw.NONE);

    /// Two copies on four brokers, between which they move.
    static final Scenario TWO_REPLICAS = new Scenario(4, 2, 2, 1, THREE_REPLICAS.faults(), Duration.ofSeconds(7),
            Flaw.NONE);

    /// Leaders that are replaced in quick succession, while followers hear late of what is committed.
    static final Scenario SUCCESSION = new Scenario(3, 2, 3, 2, List.of(Fault.TOPPLE_LEADERS, Fault.TOPPLE_LEADERS,
            Fault.SLOW), Duration.ofSeconds(7), Flaw.NONE);

    /// Machines lose their power, and with it what was not synced: one at a time, as long as its partners are well.
    static final Scenario POWER_LOSS = new Scenario(4, 2, 3, 2, List.of(Fault.POWER_LOSS, Fault.POWER_LOSS,
            Fault.POWER_LOSS, Fault.POWER_LOSS, Fault.KILL_BROKER, Fault.TERMINATE_BROKER, Fault.KILL_CONTROLLER,
            Fault.CUT, Fault.BAD_NETWORK),
            Duration.ofSeconds(10), Flaw.NONE);

    /// Transactions over three copies, with two coordinators.
    static final Scenario TRANSACTIONS = new Scenario(3, 2, 3, 2, List.of(Fault.KILL_BROKER, Fault.STOP_BROKER,
            Fault.TERMINATE_BROKER, Fault.KILL_COORDINATOR, Fault.KILL_COORDINATOR, Fault.STOP_COORDINATOR,
            Fault.STOP_COORDINATOR, Fault.KILL_CONTROLLER, Fault.CUT, Fault.SLOW, Fault.BAD_NETWORK,
            Fault.EXPIRE_SESSION), Duration.ofSeconds(12), Flaw.NONE);

    static final List<Scenario> ALL = List.of(ONE_REPLICA, TWO_REPLICAS, THREE_REPLICAS, SUCCESSION,
            POWER_LOSS);

    Scenario {
        faults = List.copyOf(faults);
    }

    /// The same with nodes that have a flaw, and long enough for it to show.
    Scenario with(Flaw wrong) {
        return new Scenario(brokers, controllers, replicas, minInSync, faults, duration.multipliedBy(3), wrong);
    }
}
