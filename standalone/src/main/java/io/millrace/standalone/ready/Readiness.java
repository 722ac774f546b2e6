package io.millrace.standalone.ready;

import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;

import io.millrace.standalone.plan.ClusterPlan;
import io.millrace.standalone.plan.Instance;
import io.millrace.standalone.plan.Role;

/// Whether instances, and the cluster as a whole, are ready.
public final class Readiness {

    private final HealthProbe health;
    private final ZooKeeperProbe zookeeper;
    private final KafkaProbe kafka;

    /// @param timeout how long each single question may take
    public Readiness(Duration timeout) {
        this.health = new HealthProbe(timeout);
        this.zookeeper = new ZooKeeperProbe(timeout);
        this.kafka = new KafkaProbe(timeout);
    }

    /// Returns if the instance calls itself ready.
    public void check(Instance instance) throws NotReady {
        if (instance.httpPort() != null) {
            health.check(instance.words(), "http://" + ClusterPlan.HOST + ":" + instance.httpPort());
        } else if (instance.port() != null) {
            zookeeper.check(ClusterPlan.HOST, instance.port());
        }
    }

    /// Returns if every instance is ready, and a client of any broker or coordinator would be served at once.
    public void check(ClusterPlan plan) throws NotReady {
        for (Instance instance : plan.instances()) {
            check(instance);
        }
        Set<Integer> brokers = ids(plan, Role.BROKER);
        Set<Integer> nodes = plan.instances().stream().filter(Instance::speaksKafka).map(Instance::id)
                .collect(Collectors.toSet());
        for (Instance instance : plan.instances()) {
            if (instance.speaksKafka() && instance.port() != null) {
                kafka.check(ClusterPlan.HOST, instance.port(), nodes, brokers);
            }
        }
    }

    /// Returns if a client that begins at that broker or coordinator would be served at once, whoever else there is.
    public void check(String host, int port) throws NotReady {
        kafka.check(host, port, Set.of(), Set.of());
    }

    private static Set<Integer> ids(ClusterPlan plan, Role role) {
        return plan.instances(role).stream().map(Instance::id).collect(Collectors.toSet());
    }
}
