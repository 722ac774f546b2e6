package io.millrace.metadata.image;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/// A registered node.
///
/// @param id unique within its role; brokers and coordinators share one space
/// @param epoch czxid of its znode: differs at each registration
/// @param endpoints where it listens, in the order of its registration
/// @param rack where it stands; null where it did not say
/// @param http root of its actuator and REST, `http://host:port`; null where it has none
/// @param softwareVersion what it runs; empty where it did not say
/// @param failedReplicas by topic, partitions that this life of the broker holds and cannot use: their log directory failed
/// @param life the same in all registrations of one process, and in no others; empty where that is not known, as outside of
///        controllers: streams do not tell
public record NodeImage(Role role, int id, long epoch, List<Endpoint> endpoints, @Nullable String rack,
        @Nullable String http, String softwareVersion, NodeState state, Map<UUID, Set<Integer>> failedReplicas,
        String life) {
    public NodeImage {
        endpoints = List.copyOf(endpoints);
        failedReplicas = Map.copyOf(failedReplicas);
    }

    /// A node of which nobody says which life it is.
    public NodeImage(Role role, int id, long epoch, List<Endpoint> endpoints, @Nullable String rack,
            @Nullable String http, String softwareVersion, NodeState state, Map<UUID, Set<Integer>> failedReplicas) {
        this(role, id, epoch, endpoints, rack, http, softwareVersion, state, failedReplicas, "");
    }

    /// A node whose replicas are all well.
    public NodeImage(Role role, int id, long epoch, List<Endpoint> endpoints, @Nullable String rack,
            @Nullable String http, String softwareVersion, NodeState state) {
        this(role, id, epoch, endpoints, rack, http, softwareVersion, state, Map.of());
    }

    /// Which node this is, through all its registrations.
    public NodeKey key() {
        return new NodeKey(role, id);
    }

    /// Where it listens under that listener's name.
    public Optional<Endpoint> endpoint(String listener) {
        for (var endpoint : endpoints) {
            if (endpoint.listener().equals(listener)) {
                return Optional.of(endpoint);
            }
        }
        return Optional.empty();
    }

    /// Whether it is [NodeState#ACTIVE].
    public boolean active() {
        return state == NodeState.ACTIVE;
    }

    /// The same node in that state.
    public NodeImage in(NodeState next) {
        return new NodeImage(role, id, epoch, endpoints, rack, http, softwareVersion, next, failedReplicas,
                life);
    }

    /// The same node with those replicas failed, and no others.
    public NodeImage withFailed(Map<UUID, Set<Integer>> replicas) {
        return new NodeImage(role, id, epoch, endpoints, rack, http, softwareVersion, state, replicas,
                life);
    }

    /// The same node, described by what its stream told.
    ///
    /// @param url see `http`
    /// @param software see `softwareVersion`
    public NodeImage describedBy(@Nullable String url, String software) {
        return new NodeImage(role, id, epoch, endpoints, rack, url, software, state, failedReplicas, life);
    }

    /// The same node, registered by that life.
    public NodeImage ofLife(String which) {
        return new NodeImage(role, id, epoch, endpoints, rack, http, softwareVersion, state, failedReplicas, which);
    }

    /// Whether its replica of that partition cannot be used.
    public boolean isFailed(UUID topicId, int partition) {
        return failedReplicas.getOrDefault(topicId, Set.of()).contains(partition);
    }
}
