package io.millrace.service.registration;

import java.util.HashMap;
import java.util.List;
import java.util.Optional;

import io.millrace.base.check.Check;
import io.millrace.metadata.image.Endpoint;
import io.millrace.metadata.image.Role;
import io.millrace.metadata.znode.BrokerRegistration;
import io.millrace.metadata.znode.MalformedZnode;
import io.millrace.metadata.znode.ServiceRegistration;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.StringNode;

/// What stands in a node's znode. **pure**
final class Registrations {
    private static final String PROCESS = "process";

    private Registrations() {}

    /// @param timestamp milliseconds since 1970
    /// @param process that it is written by, where that is known; under a key that Kafka does not know and ignores
    /// @param life see [io.millrace.metadata.image.NodeImage#life]
    static String json(NodeDescription node, long timestamp, Optional<ProcessMark> process, String life) {
        var others = new HashMap<String, JsonNode>();
        process.ifPresent(mark -> others.put(PROCESS, StringNode.valueOf(mark.toString())));
        if (node.role() == Role.BROKER) {
            others.put(BrokerRegistration.LIFE, StringNode.valueOf(life));
            return new BrokerRegistration(node.endpoints(), node.rack(), timestamp, others).json();
        }
        Check.argument(!node.endpoints().isEmpty(), "%s %d has no endpoint to register", node.role(), node.id());
        var first = node.endpoints().getFirst();
        // Only a coordinator's endpoints are Kafka listeners; a controller's and an admin's speak HTTP.
        List<Endpoint> kafka = node.role() == Role.COORDINATOR ? node.endpoints() : List.of();
        return new ServiceRegistration(node.id(), first.host(), first.port(), kafka, node.rack(), node.http(),
                node.softwareVersion(), timestamp, others).json();
    }

    /// The process that wrote a registration; empty where that does not say.
    static Optional<ProcessMark> process(Role role, String json) {
        try {
            var others = role == Role.BROKER
                    ? BrokerRegistration.parse(json).others()
                    : ServiceRegistration.parse(json).others();
            var mark = others.get(PROCESS);
            return mark == null ? Optional.empty() : ProcessMark.parse(mark.asString());
        } catch (MalformedZnode _) {
            return Optional.empty();
        }
    }
}
