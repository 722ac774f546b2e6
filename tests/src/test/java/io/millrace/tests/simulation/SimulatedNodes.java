package io.millrace.tests.simulation;

import java.util.ArrayList;
import java.util.List;

/// The nodes of a cluster that clients know.
final class SimulatedNodes {
    private final List<SimulatedBroker> brokers = new ArrayList<>();
    private final List<SimulatedCoordinator> coordinators = new ArrayList<>();

    List<SimulatedBroker> brokers() {
        return brokers;
    }

    List<SimulatedCoordinator> coordinators() {
        return coordinators;
    }

    SimulatedBroker broker(int id) {
        return brokers.get(id);
    }

    SimulatedNode at(String host) {
        return brokers.stream().filter(one -> one.host().equals(host)).<SimulatedNode>map(one -> one::handle)
                .findFirst()
                .orElseGet(() -> coordinators.stream().filter(one -> one.host().equals(host)).findFirst()
                        .<SimulatedNode>map(one -> one::handle).orElseThrow());
    }
}
