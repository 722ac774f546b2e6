package io.millrace.tests.simulation;

/// What may happen to a cluster.
enum Fault {
    KILL_BROKER, TERMINATE_BROKER, POWER_LOSS, STOP_BROKER, KILL_CONTROLLER, STOP_CONTROLLER, CUT, SLOW, BAD_NETWORK, EXPIRE_SESSION, EXPIRE_ALL, STOP_ZOOKEEPER, FAIL_DIRECTORY, KILL_COORDINATOR, STOP_COORDINATOR;

    boolean isOfCoordinators() {
        return this == KILL_COORDINATOR || this == STOP_COORDINATOR;
    }
}
