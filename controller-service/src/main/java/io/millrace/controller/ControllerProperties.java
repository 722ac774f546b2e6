package io.millrace.controller;

import io.millrace.service.config.ServerSettings;
import io.millrace.service.lifecycle.StartRefused;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;

/// What a controller is told besides Kafka's settings.
///
/// @param nodeId `millrace.node.id`, else `kafka.broker.id`, else 0
/// @param streamHost `millrace.controller.stream.host`: address that the stream's port is bound on, and that others are
///        told; null: bound on all, and told as the HTTP address is
/// @param streamPort `millrace.controller.stream.port`; 0 takes any
record ControllerProperties(int nodeId, @Nullable String streamHost, int streamPort) {
    private static final String PREFIX = "millrace.controller.stream.";
    private static final int DEFAULT_STREAM_PORT = 9190;
    private static final int MAX_PORT = 65_535;

    ControllerProperties {
        if (nodeId < 0) {
            throw new StartRefused("millrace.node.id: " + nodeId + " is no id; ids start at 0");
        }
        if (streamPort < 0 || streamPort > MAX_PORT) {
            throw new StartRefused(PREFIX + "port: " + streamPort + " is no port");
        }
    }

    static ControllerProperties of(Environment environment, ServerSettings settings) {
        int brokerId = Math.max(0, settings.nodeId());
        return new ControllerProperties(number(environment, "millrace.node.id", brokerId), environment.getProperty(
                PREFIX
                        + "host"), number(environment, PREFIX + "port", DEFAULT_STREAM_PORT));
    }

    private static int number(Environment environment, String name, int byDefault) {
        var text = environment.getProperty(name);
        try {
            return text == null ? byDefault : Integer.parseInt(text.strip());
        } catch (NumberFormatException _) {
            throw new StartRefused(name + ": " + text + " is no number");
        }
    }
}
