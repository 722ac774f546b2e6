package io.millrace.controller.partition;

import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

import io.millrace.metadata.image.ClusterImage;
import io.millrace.metadata.image.NodeImage;
import io.millrace.metadata.image.NodeState;
import io.millrace.metadata.image.Role;

/// The brokers of one image, as each partition sees them: a broker may live, and its replica of just that partition have
/// failed with its log directory.
public final class LiveReplicas {
    private final Map<Integer, NodeImage> brokers;
    private final ToIntFunction<UUID> minInSync;

    private LiveReplicas(ClusterImage image, ToIntFunction<UUID> minInSync) {
        var registered = image.nodes().of(Role.BROKER).stream();
        this.brokers = registered.collect(Collectors.toUnmodifiableMap(NodeImage::id, Function.identity()));
        this.minInSync = minInSync;
    }

    /// For topics with which any number of replicas in sync is enough.
    static LiveReplicas of(ClusterImage image) {
        return new LiveReplicas(image, _ -> 1);
    }

    /// For topics that go by those rules.
    public static LiveReplicas of(ClusterImage image, ElectionRules rules) {
        return new LiveReplicas(image, id -> image.topic(id).map(topic -> rules.minInSync(image, topic.name())).orElse(
                1));
    }

    /// The brokers as that partition sees them.
    public Brokers of(UUID topicId, int partition) {
        Predicate<NodeImage> usable = broker -> !broker.isFailed(topicId, partition);
        return new Brokers(id -> is(id, usable.and(broker -> broker.state() != NodeState.FENCED)), id -> is(id, usable
                .and(NodeImage::active)), id -> life(id, usable), minInSync.applyAsInt(topicId));
    }

    /// Whether `epoch` is that of the broker's present registration.
    public boolean isEpoch(int broker, long epoch) {
        return is(broker, registered -> registered.epoch() == epoch);
    }

    private String life(int broker, Predicate<NodeImage> usable) {
        var registered = brokers.get(broker);
        return registered != null && usable.test(registered) ? registered.life() : "";
    }

    private boolean is(int broker, Predicate<NodeImage> what) {
        var registered = brokers.get(broker);
        return registered != null && what.test(registered);
    }
}
