package io.millrace.wire.server;

import io.millrace.base.check.Check;
import io.millrace.wire.connection.ConnectionLimits;

/// One listener.
///
/// @param name as in `listeners`, such as `PLAINTEXT`
/// @param host to bind; empty for all interfaces
/// @param port 0 for any free one
/// @param connection what each connection may use
/// @param total what all connections of the listener may use
/// @param sockets how sockets are set up
public record ListenerConfig(String name, String host, int port, ConnectionLimits connection, TotalLimits total,
        Sockets sockets) {

    /// A listener with Kafka's default limits.
    public ListenerConfig(String name, String host, int port) {
        this(name, host, port, ConnectionLimits.DEFAULTS, TotalLimits.DEFAULTS, Sockets.DEFAULTS);
    }

    public ListenerConfig {
        Check.argument(port >= 0 && port <= 65_535, "port=%d of listener %s", port, name);
    }

    /// The same listener with other limits for each connection.
    public ListenerConfig with(ConnectionLimits other) {
        return new ListenerConfig(name, host, port, other, total, sockets);
    }

    /// The same listener with other limits for all connections.
    public ListenerConfig with(TotalLimits other) {
        return new ListenerConfig(name, host, port, connection, other, sockets);
    }

    /// The same listener with other sockets.
    public ListenerConfig with(Sockets other) {
        return new ListenerConfig(name, host, port, connection, total, other);
    }

    /// What all connections of a listener may use together.
    ///
    /// @param maxConnections a connection beyond is closed at once (`max.connections`)
    /// @param maxConnectionsPerIp the same for one address (`max.connections.per.ip`)
    /// @param requestMemoryBytes that requests being received may hold; beyond, connections are not read from until some
    ///         is given back (`queued.max.request.bytes`). A request is let in while any is left, so it may be exceeded by
    ///         one request
    public record TotalLimits(int maxConnections, int maxConnectionsPerIp, long requestMemoryBytes) {

        /// No limit of connections, as Kafka; a quarter of the largest heap for requests, as direct memory is bounded by
        /// the heap's size.
        public static final TotalLimits DEFAULTS = new TotalLimits(Integer.MAX_VALUE, Integer.MAX_VALUE,
                Runtime.getRuntime().maxMemory() / 4);

        public TotalLimits {
            Check.argument(maxConnections > 0, "maxConnections=%d", maxConnections);
            Check.argument(maxConnectionsPerIp >= 0, "maxConnectionsPerIp=%d", maxConnectionsPerIp);
            Check.argument(requestMemoryBytes > 0, "requestMemoryBytes=%d", requestMemoryBytes);
        }
    }

    /// @param sendBufferBytes SO_SNDBUF, -1 for the system's (`socket.send.buffer.bytes`)
    /// @param receiveBufferBytes SO_RCVBUF, -1 for the system's (`socket.receive.buffer.bytes`)
    /// @param backlog connections waiting to be accepted (`socket.listen.backlog.size`)
    public record Sockets(int sendBufferBytes, int receiveBufferBytes, int backlog) {

        /// Kafka's defaults.
        public static final Sockets DEFAULTS = new Sockets(102_400, 102_400, 50);
    }
}
