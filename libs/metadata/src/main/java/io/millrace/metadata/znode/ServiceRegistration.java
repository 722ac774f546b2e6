package io.millrace.metadata.znode;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import io.millrace.metadata.image.Endpoint;
import io.millrace.metadata.image.NodeImage;
import io.millrace.metadata.image.NodeState;
import io.millrace.metadata.image.Role;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// `/services/<role>/N`: a node that is not a broker. Its czxid is the node's epoch.
///
/// @param host of `port`
/// @param port that the service serves the cluster on: metadata stream of a controller, Kafka protocol of a coordinator,
///         REST of an admin
/// @param endpoints Kafka listeners; none of a controller or an admin
/// @param rack null where it did not say
/// @param http root of its actuator and REST; null where it has none
/// @param software what it runs
/// @param timestamp milliseconds since 1970 at registration, stored as a string
/// @param others keys that are unknown here
public record ServiceRegistration(int id, String host, int port, List<Endpoint> endpoints, @Nullable String rack,
        @Nullable String http, String software, long timestamp, Map<String, JsonNode> others) {
    private static final Set<String> KNOWN = Set.of("version", "id", "host", "port", "endpoints",
            "listener_security_protocol_map", "rack", "http", "software", "timestamp");

    public ServiceRegistration {
        endpoints = List.copyOf(endpoints);
        others = Map.copyOf(others);
    }

    /// A registration of ours.
    public ServiceRegistration(int id, String host, int port, List<Endpoint> endpoints, @Nullable String rack,
            @Nullable String http, String software, long timestamp) {
        this(id, host, port, endpoints, rack, http, software, timestamp, Map.of());
    }

    /// @throws MalformedZnode where it cannot be read
    public static ServiceRegistration parse(String json) {
        var fields = Fields.of("service", json);
        return new ServiceRegistration(fields.intOf("id"), fields.textOf("host"), fields.intOf("port"),
                fields.has("endpoints") ? Listeners.read(fields) : List.of(), fields.optionalText("rack").orElse(null),
                fields.optionalText("http").orElse(null), fields.optionalText("software").orElse(""),
                fields.has("timestamp") ? fields.longOf("timestamp") : -1, fields.others(KNOWN));
    }

    /// As it is stored.
    public String json() {
        var object = Fields.object().put("version", 1).put("id", id).put("host", host).put("port", port);
        Listeners.write(object, endpoints);
        Optional.ofNullable(rack).ifPresent(value -> object.put("rack", value));
        Optional.ofNullable(http).ifPresent(value -> object.put("http", value));
        object.put("software", software).put("timestamp", Long.toString(timestamp));
        return Fields.write(object, others);
    }

    /// The node in the image.
    ///
    /// @param epoch czxid of the node
    public NodeImage node(Role role, long epoch, NodeState state) {
        return new NodeImage(role, id, epoch, endpoints, rack, http, software, state);
    }
}
