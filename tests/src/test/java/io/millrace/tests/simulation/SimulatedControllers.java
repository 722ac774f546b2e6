package io.millrace.tests.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The controllers of a cluster: one active, the rest on standby.
final class SimulatedControllers {
    private static final int FIRST_ID = 100;

    private final List<SimulatedController> all = new ArrayList<>();

    SimulatedControllers(World world, int count) {
        for (int i = 0; i < count; i++) {
            all.add(new SimulatedController(world, FIRST_ID + i, this::get));
        }
    }

    List<SimulatedController> all() {
        return all;
    }

    SimulatedController get(int id) {
        return all.get(id - FIRST_ID);
    }

    /// The one that publishes; the newest, where an older one has not heard of it.
    Optional<SimulatedController> active() {
        return all.stream().filter(SimulatedController::isActive).max((one, other) -> Integer.compare(one.image()
                .version().controllerEpoch(), other.image().version().controllerEpoch()));
    }
}
