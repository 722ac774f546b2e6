package io.millrace.admin.operation;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import io.millrace.admin.operation.Errand.LogMoves;
import io.millrace.metadata.command.AlterConfigs.ConfigAlteration;
import io.millrace.metadata.command.AlterConfigs.Op;
import io.millrace.metadata.command.AlterConfigs.OpType;
import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.ConfigResource;

/// The throttles that operations want, and what has to be changed for them; whatever no operation wants any more goes. **pure**
final class Throttles {
    private static final String LEADER_RATE = "leader.replication.throttled.rate";
    private static final String FOLLOWER_RATE = "follower.replication.throttled.rate";
    private static final String LEADER_REPLICAS = "leader.replication.throttled.replicas";
    private static final String FOLLOWER_REPLICAS = "follower.replication.throttled.replicas";
    private static final String LOG_RATE = "replica.alter.log.dirs.io.max.bytes.per.second";
    private static final List<String> KEYS = List.of(LEADER_RATE, FOLLOWER_RATE, LEADER_REPLICAS, FOLLOWER_REPLICAS);
    /// What a paused operation copies, in bytes a second: as little as can be said.
    private static final long PAUSED = 1;

    private Throttles() {}

    /// What has to change so that exactly the throttles of `operations` hold on all that they are about.
    static List<ConfigAlteration> changes(Collection<Operation> operations, ClusterImage image) {
        var wanted = wanted(operations);
        var concerned = new HashMap<ConfigResource, Set<String>>();
        operations.stream().filter(operation -> operation.throttled() && !operation.state().over()).forEach(
                operation -> {
                    resources(operation).forEach(resource -> concerned.computeIfAbsent(resource, _ -> new TreeSet<>())
                            .addAll(KEYS));
                    if (operation.errand() instanceof LogMoves logs) {
                        concerned.computeIfAbsent(ConfigResource.broker(logs.broker()), _ -> new TreeSet<>()).add(
                                LOG_RATE);
                    }
                });
        var changes = new ArrayList<ConfigAlteration>();
        concerned.forEach((resource, keys) -> {
            var values = wanted.getOrDefault(resource, Map.of());
            boolean there = resource.type() != io.millrace.metadata.image.ConfigType.TOPIC || image.topic(resource
                    .name()).isPresent();
            var ops = there ? ops(keys, values, image.configs().of(resource)) : List.<Op>of();
            if (!ops.isEmpty()) {
                changes.add(new ConfigAlteration(resource, ops));
            }
        });
        return changes;
    }

    private static List<Op> ops(Set<String> keys, Map<String, String> wanted, Map<String, String> set) {
        var ops = new ArrayList<Op>();
        for (var key : keys) {
            var value = wanted.get(key);
            var now = set.get(key);
            if (value != null && !value.equals(now)) {
                ops.add(new Op(key, value, OpType.SET));
            } else if (value == null && now != null) {
                ops.add(new Op(key, null, OpType.DELETE));
            }
        }
        return ops;
    }

    private static Set<ConfigResource> resources(Operation operation) {
        var resources = new TreeSet<ConfigResource>(java.util.Comparator.comparing(ConfigResource::type).thenComparing(
                ConfigResource::name));
        operation.moves().forEach(move -> {
            resources.add(ConfigResource.topic(move.topic()));
            move.from().forEach(broker -> resources.add(ConfigResource.broker(broker)));
            move.to().forEach(broker -> resources.add(ConfigResource.broker(broker)));
        });
        return resources;
    }

    private static Map<ConfigResource, Map<String, String>> wanted(Collection<Operation> operations) {
        var rates = new HashMap<ConfigResource, Long>();
        var leaders = new TreeMap<String, Set<String>>();
        var followers = new TreeMap<String, Set<String>>();
        for (var operation : operations) {
            var rate = rate(operation);
            if (rate == null || operation.state().over()) {
                continue;
            }
            operation.moves().stream().filter(move -> move.state().underWay()).forEach(move -> {
                move.from().forEach(broker -> add(leaders, move, broker));
                move.adding().forEach(broker -> add(followers, move, broker));
                if (move.state() == Move.State.RETURNING) {
                    move.to().forEach(broker -> add(leaders, move, broker));
                    move.from().stream().filter(broker -> !move.to().contains(broker)).forEach(broker -> add(followers,
                            move, broker));
                }
                move.from().forEach(broker -> rates.merge(ConfigResource.broker(broker), rate, Math::min));
                move.to().forEach(broker -> rates.merge(ConfigResource.broker(broker), rate, Math::min));
            });
        }
        var wanted = new HashMap<ConfigResource, Map<String, String>>();
        rates.forEach((broker, rate) -> wanted.put(broker, new HashMap<>(Map.of(LEADER_RATE, rate.toString(),
                FOLLOWER_RATE, rate.toString()))));
        operations.stream().filter(operation -> !operation.settled() && !operation.state().over()).forEach(
                operation -> {
                    var rate = rate(operation);
                    if (rate != null && operation.errand() instanceof LogMoves logs) {
                        wanted.computeIfAbsent(ConfigResource.broker(logs.broker()), _ -> new HashMap<>()).merge(
                                LOG_RATE, rate.toString(), Throttles::lower);
                    }
                });
        leaders.forEach((topic, replicas) -> wanted.computeIfAbsent(ConfigResource.topic(topic), _ -> new HashMap<>())
                .put(LEADER_REPLICAS, String.join(",", replicas)));
        followers.forEach((topic, replicas) -> wanted.computeIfAbsent(ConfigResource.topic(topic), _ -> new HashMap<>())
                .put(FOLLOWER_REPLICAS, String.join(",", replicas)));
        return wanted;
    }

    private static String lower(String one, String other) {
        return Long.parseLong(one) < Long.parseLong(other) ? one : other;
    }

    private static @org.jspecify.annotations.Nullable Long rate(Operation operation) {
        return operation.state() == Operation.State.PAUSED ? Long.valueOf(PAUSED) : operation.throttle();
    }

    private static void add(Map<String, Set<String>> to, Move move, int broker) {
        to.computeIfAbsent(move.topic(), _ -> new TreeSet<>()).add(move.partition() + ":" + broker);
    }
}
