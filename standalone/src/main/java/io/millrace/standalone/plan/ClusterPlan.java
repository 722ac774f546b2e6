package io.millrace.standalone.plan;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// A cluster as it was asked for. The same plan gives the same ports, names and command lines each time.
///
/// @param settings what `--set` gave, by full key: `kafka.log.segment.bytes` for every service,
/// `broker-1:kafka.broker.rack` for one
public record ClusterPlan(Mode mode, int controllers, int brokers, int coordinators, int portBase,
        Map<String, String> settings) {

    /// Everything listens here, and nowhere else.
    public static final String HOST = "127.0.0.1";

    /// @throws IllegalArgumentException with a line for people, if the numbers make no cluster
    public ClusterPlan {
        settings = Collections.unmodifiableMap(new TreeMap<>(settings));
        count("--controllers", controllers, Ports.MAX_CONTROLLERS);
        count("--brokers", brokers, Ports.MAX_BROKERS);
        count("--coordinators", coordinators, Ports.MAX_COORDINATORS);
        if (mode == Mode.STANDALONE && (controllers > 1 || brokers > 1 || coordinators > 1)) {
            throw new IllegalArgumentException("standalone mode runs one of each role; for more use --mode cluster");
        }
        new Ports(portBase);
    }

    private static void count(String option, int value, int max) {
        if (value < 1 || value > max) {
            throw new IllegalArgumentException(option + " must be from 1 to " + max + ": " + value);
        }
    }

    /// Every instance, in the order of starting.
    public List<Instance> instances() {
        var ports = new Ports(portBase);
        var instances = new ArrayList<Instance>();
        for (Role role : Role.values()) {
            for (int index = 0; index < count(role); index++) {
                instances.add(ports.instance(role, index));
            }
        }
        return List.copyOf(instances);
    }

    private int count(Role role) {
        return switch (role) {
            case CONTROLLER -> controllers;
            case BROKER -> brokers;
            case COORDINATOR -> coordinators;
            case ZOOKEEPER, ADMIN -> 1;
        };
    }

    /// @return the instance of that role and id, or empty
    public Optional<Instance> instance(Role role, int id) {
        return instances().stream().filter(it -> it.role() == role && it.id() == id).findFirst();
    }

    /// The instances of one role.
    public List<Instance> instances(Role role) {
        return instances().stream().filter(it -> it.role() == role).toList();
    }

    /// The name of the process that holds the instance.
    public String processOf(Instance instance) {
        return switch (mode) {
            case STANDALONE -> mode.label();
            case CLUSTER -> instance.name();
        };
    }

    /// The names of all processes, in the order of starting.
    public List<String> processes() {
        return instances().stream().map(this::processOf).distinct().toList();
    }

    /// What clients are given: every broker.
    public String bootstrap() {
        return instances(Role.BROKER).stream().map(it -> HOST + ":" + it.port()).collect(Collectors.joining(","));
    }

    /// The address of the admin API, without a slash at the end.
    public String admin() {
        return "http://" + HOST + ":" + instances(Role.ADMIN).getFirst().httpPort();
    }

    /// The connect string of ZooKeeper.
    public String zookeeper() {
        return HOST + ":" + instances(Role.ZOOKEEPER).getFirst().port();
    }
}
