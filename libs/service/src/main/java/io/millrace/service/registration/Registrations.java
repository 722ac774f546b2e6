package io.millrace.service.registration;

import java.util.List;

import io.millrace.base.check.Check;
import io.millrace.metadata.image.Endpoint;
import io.millrace.metadata.image.Role;
import io.millrace.metadata.znode.BrokerRegistration;
import io.millrace.metadata.znode.ServiceRegistration;

/// What stands in a node's znode. **pure**
final class Registrations {
    private Registrations() {}

    /// @param timestamp milliseconds since 1970
    static String json(NodeDescription node, long timestamp) {
        if (node.role() == Role.BROKER) {
            return new BrokerRegistration(node.endpoints(), node.rack(), timestamp).json();
        }
        Check.argument(!node.endpoints().isEmpty(), "%s %d has no endpoint to register", node.role(), node.id());
        var first = node.endpoints().getFirst();
        // Only a coordinator's endpoints are Kafka listeners; a controller's and an admin's speak HTTP.
        List<Endpoint> kafka = node.role() == Role.COORDINATOR ? node.endpoints() : List.of();
        return new ServiceRegistration(node.id(), first.host(), first.port(), kafka, node.rack(), node.http(),
                node.softwareVersion(), timestamp).json();
    }
}
