package io.millrace.tests.simulation;

import java.util.SplittableRandom;
import java.util.UUID;

import io.millrace.base.simulation.SimulatedLoop;
import io.millrace.base.simulation.SimulatedNetwork;
import io.millrace.metadata.zookeeper.SimulatedZooKeeper;

/// What all parts of one simulation share. Everything that happens by chance happens by `random`.
///
/// @param trace of what happened, for people
/// @param flaw what is wrong with the nodes
record World(SimulatedLoop loop, SimulatedNetwork network, SimulatedZooKeeper zookeeper, SplittableRandom random,
        Trace trace, Flaw flaw) {

    static World of(long seed, Trace trace, Flaw flaw) {
        var random = new SplittableRandom(seed);
        var loop = new SimulatedLoop();
        var network = new SimulatedNetwork(loop, random.split());
        trace.tellTime(loop.ticker());
        return new World(loop, network, new SimulatedZooKeeper(loop, network), random, trace, flaw);
    }

    UUID newId() {
        return new UUID(random.nextLong(), random.nextLong());
    }
}
