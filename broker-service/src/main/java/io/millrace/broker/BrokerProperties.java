package io.millrace.broker;

import java.util.List;

import io.millrace.metadata.image.Endpoint;
import io.millrace.metadata.image.Role;
import io.millrace.service.config.ServerSettings;
import io.millrace.service.lifecycle.SoftwareVersion;
import io.millrace.service.lifecycle.StartRefused;
import io.millrace.service.registration.NodeDescription;
import org.jspecify.annotations.Nullable;

/// What of the settings says who this broker is.
///
/// @param id `broker.id`
/// @param rack `broker.rack`; null where it is not set
/// @param networkThreads `num.network.threads`
record BrokerProperties(int id, @Nullable String rack, int networkThreads) {
    /// Coordinators have the ids from there on.
    private static final int FIRST_COORDINATOR = 1000;

    static BrokerProperties of(ServerSettings settings) {
        int id = settings.nodeId();
        if (id < 0 || id >= FIRST_COORDINATOR) {
            throw new StartRefused("kafka.broker.id: %d; a broker's lies between 0 and %d".formatted(id,
                    FIRST_COORDINATOR - 1));
        }
        for (var endpoint : settings.advertisedListeners()) {
            if (endpoint.port() == 0) {
                throw new StartRefused("kafka.listeners: %s has port 0; a broker needs one that others can be told"
                        .formatted(endpoint.listener()));
            }
        }
        return new BrokerProperties(id, settings.findString("broker.rack").orElse(null), settings.getInt(
                "num.network.threads"));
    }

    /// For logs and threads.
    String name() {
        return "broker-" + id;
    }

    /// What is registered of it.
    NodeDescription description(List<Endpoint> endpoints, String http) {
        return new NodeDescription(Role.BROKER, id, endpoints, rack, http, SoftwareVersion.current());
    }
}
