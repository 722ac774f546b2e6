package io.millrace.service.registration;

import java.util.List;

import io.millrace.metadata.image.Endpoint;
import io.millrace.metadata.image.NodeKey;
import io.millrace.metadata.image.Role;
import org.jspecify.annotations.Nullable;

/// What a node registers of itself.
///
/// @param id within its role
/// @param endpoints where it listens, as told to others; of a controller its metadata stream
/// @param rack where it stands; null where that is not set
/// @param http root of its actuator and REST, `http://host:port`; null where it has none
/// @param softwareVersion what it runs
public record NodeDescription(Role role, int id, List<Endpoint> endpoints, @Nullable String rack,
        @Nullable String http, String softwareVersion) {
    public NodeDescription {
        endpoints = List.copyOf(endpoints);
    }

    /// Names the node through all its registrations.
    public NodeKey key() {
        return new NodeKey(role, id);
    }
}
