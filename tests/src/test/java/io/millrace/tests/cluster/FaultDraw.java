package io.millrace.tests.cluster;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;

/// Draws faults of a cluster's processes and of the network between them.
final class FaultDraw {

    private static final String NETWORK = "network";

    private final NetworkCluster cluster;
    private final int controllers;
    private final int brokers;
    private final Random random;

    FaultDraw(NetworkCluster cluster, int controllers, int brokers, Random random) {
        this.cluster = cluster;
        this.controllers = controllers;
        this.brokers = brokers;
        this.random = random;
    }

    /// One fault, or two that come together.
    List<Fault> draw() {
        Fault first = one();
        Fault second = one();
        return random.nextInt(3) > 0 || second.excludes(first) ? List.of(first) : List.of(first, second);
    }

    private Fault one() {
        int broker = random.nextInt(brokers);
        int controller = random.nextInt(controllers);
        return switch (random.nextInt(16)) {
            case 0, 1, 2 -> killed("broker", broker);
            case 3, 4 -> hung("broker", broker);
            case 5, 6 -> ended("broker", broker);
            case 7 -> allBrokersKilled();
            case 8, 9 -> killed("controller", controller);
            case 10 -> hung("controller", controller);
            case 11 -> random.nextBoolean() ? killed("zookeeper", 0) : hung("zookeeper", 0);
            case 12 -> killed("coordinator", 1000);
            case 13 -> brokersCut(broker, (broker + 1) % brokers);
            case 14 -> isolated("broker", broker);
            default -> isolated("controller", controller);
        };
    }

    private Fault killed(String role, int id) {
        return new Fault("kill " + role + " " + id, Set.of(role + id), () -> cluster.kill(role, id),
                () -> cluster.launch(role, id));
    }

    private Fault hung(String role, int id) {
        return new Fault("hang " + role + " " + id, Set.of(role + id), () -> cluster.stop(role, id),
                () -> cluster.resume(role, id));
    }

    private Fault ended(String role, int id) {
        return new Fault("end " + role + " " + id, Set.of(role + id), () -> cluster.terminate(role, id),
                () -> cluster.launch(role, id));
    }

    private Fault allBrokersKilled() {
        List<Fault> all = new ArrayList<>();
        IntStream.range(0, brokers).forEach(it -> all.add(killed("broker", it)));
        Set<String> targets = new HashSet<>();
        all.forEach(it -> targets.addAll(it.targets()));
        return new Fault("kill all brokers", targets, () -> all.forEach(it -> it.begin().run()),
                () -> all.forEach(it -> it.end().run()));
    }

    private Fault brokersCut(int one, int other) {
        boolean oneWay = random.nextBoolean();
        return cut((oneWay ? "cut the way from" : "cut") + " broker " + one + " to broker " + other, () -> {
            if (oneWay) {
                cluster.network().cutWay(cluster.host("broker", one), cluster.host("broker", other));
            } else {
                cluster.network().cut(cluster.host("broker", one), cluster.host("broker", other));
            }
        });
    }

    private Fault isolated(String role, int id) {
        return cut("isolate " + role + " " + id, () -> cluster.othersThan(role, id)
                .forEach(it -> cluster.network().cut(cluster.host(role, id), it)));
    }

    private Fault cut(String name, Runnable begin) {
        return new Fault(name, Set.of(NETWORK), begin, cluster.network()::heal);
    }
}
