package io.millrace.metadata.znode;

import java.util.List;
import java.util.Map;
import java.util.Set;

import io.millrace.metadata.image.Endpoint;
import io.millrace.metadata.image.NodeImage;
import io.millrace.metadata.image.NodeState;
import io.millrace.metadata.image.Role;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// `/brokers/ids/N`, version 5. Its czxid is the broker's epoch.
///
/// @param rack null where it did not say
/// @param timestamp milliseconds since 1970 at registration, stored as a string
/// @param others keys that are unknown here, such as those of other versions
public record BrokerRegistration(List<Endpoint> endpoints, @Nullable String rack, long timestamp,
        Map<String, JsonNode> others) {
    /// Key of what tells one process from the next, which Kafka does not know and ignores; see [NodeImage#life].
    public static final String LIFE = "life";

    private static final String PLAINTEXT = "PLAINTEXT";
    private static final Set<String> KNOWN = Set.of("version", "host", "port", "endpoints",
            "listener_security_protocol_map", "rack", "jmx_port", "timestamp", "features");

    public BrokerRegistration {
        endpoints = List.copyOf(endpoints);
        others = Map.copyOf(others);
    }

    /// A registration of ours.
    public BrokerRegistration(List<Endpoint> endpoints, @Nullable String rack, long timestamp) {
        this(endpoints, rack, timestamp, Map.of());
    }

    /// @throws MalformedZnode where it cannot be read
    public static BrokerRegistration parse(String json) {
        var fields = Fields.of("broker", json);
        var endpoints = fields.has("endpoints")
                ? Listeners.read(fields)
                : List.of(new Endpoint(PLAINTEXT, PLAINTEXT, fields.textOf("host"), fields.intOf("port")));
        return new BrokerRegistration(endpoints, fields.optionalText("rack").orElse(null),
                fields.has("timestamp") ? fields.longOf("timestamp") : -1, fields.others(KNOWN));
    }

    /// As it is stored. Host and port are those of the first endpoint without TLS and SASL, else null and -1: old tools
    /// fail where the keys are missing.
    public String json() {
        var plain = endpoints.stream().filter(endpoint -> endpoint.securityProtocol().equals(PLAINTEXT)).findFirst();
        var object = Fields.object()
                .put("version", 5)
                .put("host", plain.map(Endpoint::host).orElse(null))
                .put("port", plain.map(Endpoint::port).orElse(-1));
        Listeners.write(object, endpoints);
        if (rack != null) {
            object.put("rack", rack);
        }
        object.put("jmx_port", -1).put("timestamp", Long.toString(timestamp)).putObject("features");
        return Fields.write(object, others);
    }

    /// The broker in the image. The registration says nothing about its HTTP root and its software.
    ///
    /// @param epoch czxid of the node
    public NodeImage node(int id, long epoch, NodeState state) {
        var life = others.get(LIFE);
        return new NodeImage(Role.BROKER, id, epoch, endpoints, rack, null, "", state).ofLife(life == null
                ? ""
                : life.asString());
    }
}
