package io.millrace.standalone.plan;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// The arguments that a service of a plan is started with.
public final class ServiceArguments {

    /// What the launcher itself decides; setting them by hand would break the plan.
    private static final Set<String> OWN = Set.of("kafka.broker.id", "kafka.listeners", "kafka.advertised.listeners",
            "kafka.zookeeper.connect",
            "kafka.log.dir", "kafka.log.dirs");
    /// Defaults for one machine: no wait for members that start later, nor long for what has died.
    private static final Map<String, String> ONE_MACHINE = Map.of("kafka.group.initial.rebalance.delay.ms", "0",
            "kafka.zookeeper.session.timeout.ms", "6000", "kafka.zookeeper.connection.timeout.ms", "30000");
    private static final int REPLICAS = 3;

    private ServiceArguments() {}

    /// The key of a setting that may be for one instance alone: `broker-1:kafka.broker.rack` is the rack of that broker.
    ///
    /// @param instance its name, or empty where the setting is for all
    /// @param name as services know it
    public record Key(String instance, String name) {

        /// Splits a key of [ClusterPlan#settings].
        public static Key of(String key) {
            int colon = key.indexOf(':');
            return new Key(colon < 0 ? "" : key.substring(0, colon), key.substring(colon + 1));
        }
    }

    /// Whether `--set` may set that. One broker alone may be told to have other log directories.
    public static boolean settable(Key key) {
        var name = key.name();
        boolean own = OWN.contains(name) && (key.instance().isEmpty() || !name.equals("kafka.log.dirs"));
        return name.startsWith("kafka.") && name.length() > "kafka.".length() && !own;
    }

    /// The arguments of one instance, as `--key=value`.
    ///
    /// @param data the folder under which instances have folders of their own
    public static List<String> of(ClusterPlan plan, Instance instance, Path data) {
        return of(instance, plan, data, "--");
    }

    /// The arguments of the process that holds all roles: those of each role carry its name in front
    /// (`--broker.kafka.listeners=…`).
    public static List<String> ofAll(ClusterPlan plan, Path data) {
        var arguments = new ArrayList<String>();
        for (Instance instance : plan.instances()) {
            arguments.addAll(of(instance, plan, data, "--" + instance.role().label() + "."));
        }
        return arguments;
    }

    private static List<String> of(Instance instance, ClusterPlan plan, Path data, String prefix) {
        return properties(plan, instance, data).entrySet().stream()
                .map(it -> prefix + it.getKey() + "=" + it.getValue()).toList();
    }

    private static Map<String, String> properties(ClusterPlan plan, Instance instance, Path data) {
        var properties = new LinkedHashMap<String, String>();
        if (instance.role() == Role.ZOOKEEPER) {
            properties.put("address", plan.zookeeper());
            properties.put("data", data.resolve(instance.name()).toString());
            return properties;
        }
        properties.put("server.address", ClusterPlan.HOST);
        properties.put("server.port", String.valueOf(instance.httpPort()));
        properties.put("kafka.zookeeper.connect", plan.zookeeper());
        switch (instance.role()) {
            case CONTROLLER -> {
                properties.put("millrace.node.id", String.valueOf(instance.id()));
                properties.put("millrace.controller.stream.host", ClusterPlan.HOST);
                properties.put("millrace.controller.stream.port", String.valueOf(instance.port()));
            }
            case BROKER -> {
                kafkaNode(properties, instance);
                properties.put("kafka.log.dirs", data.resolve(instance.name()).toString());
            }
            case COORDINATOR -> kafkaNode(properties, instance);
            case ADMIN -> properties.put("millrace.node.id", String.valueOf(instance.id()));
            case ZOOKEEPER -> throw new IllegalStateException("not a service: " + instance);
        }
        properties.putAll(ONE_MACHINE);
        properties.putAll(replication(plan.brokers()));
        properties.putAll(settings(plan, ""));
        properties.putAll(settings(plan, instance.name()));
        return properties;
    }

    /// As many replicas as there are brokers, and three of them where there are more. With three, one may be away.
    private static Map<String, String> replication(int brokers) {
        String replicas = String.valueOf(Math.min(REPLICAS, brokers));
        String inSync = brokers < REPLICAS ? "1" : "2";
        return Map.of("kafka.default.replication.factor", replicas, "kafka.min.insync.replicas", inSync,
                "kafka.offsets.topic.replication.factor", replicas, "kafka.transaction.state.log.replication.factor",
                replicas, "kafka.transaction.state.log.min.isr", inSync);
    }

    private static Map<String, String> settings(ClusterPlan plan, String instance) {
        return plan.settings().entrySet().stream().filter(it -> Key.of(it.getKey()).instance().equals(instance))
                .collect(Collectors.toMap(it -> Key.of(it.getKey()).name(), Map.Entry::getValue));
    }

    private static void kafkaNode(Map<String, String> properties, Instance instance) {
        properties.put("kafka.broker.id", String.valueOf(instance.id()));
        properties.put("kafka.listeners", "PLAINTEXT://" + ClusterPlan.HOST + ":" + instance.port());
    }
}
