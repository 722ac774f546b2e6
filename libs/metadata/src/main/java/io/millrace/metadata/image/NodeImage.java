package io.millrace.metadata.image;

import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/// A registered node.
///
/// @param id unique within its role; brokers and coordinators share one space
/// @param epoch czxid of its znode: differs at each registration
/// @param endpoints where it listens, in the order of its registration
/// @param rack where it stands; null where it did not say
/// @param http root of its actuator and REST, `http://host:port`; null where it has none
/// @param softwareVersion what it runs; empty where it did not say
public record NodeImage(Role role, int id, long epoch, List<Endpoint> endpoints, @Nullable String rack,
        @Nullable String http, String softwareVersion, NodeState state) {
    public NodeImage {
        endpoints = List.copyOf(endpoints);
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
        return new NodeImage(role, id, epoch, endpoints, rack, http, softwareVersion, next);
    }
}
