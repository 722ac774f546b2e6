package io.millrace.service.listener;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import io.millrace.metadata.image.Endpoint;
import io.millrace.service.config.ServerSettings;
import io.millrace.service.lifecycle.StartRefused;
import io.millrace.service.lifecycle.Step;
import io.millrace.wire.api.ApiRegistry;
import io.millrace.wire.connection.ConnectionLimits;
import io.millrace.wire.connection.NetworkMetrics;
import io.millrace.wire.server.KafkaServer;
import io.millrace.wire.server.ListenerConfig;
import io.millrace.wire.server.ListenerConfig.Sockets;
import io.millrace.wire.server.ListenerConfig.TotalLimits;
import reactor.netty.ChannelBindException;
import reactor.netty.resources.LoopResources;

/// Every listener of `listeners`, bound with one set of handlers. Bound and drained by the thread that starts and stops
/// the service; read by any.
public final class NodeListeners {
    private static final Duration DRAIN = Duration.ofSeconds(10);
    private static final Duration STEP = Duration.ofSeconds(30);

    private final ServerSettings settings;
    private final LoopResources loops;
    private final NetworkMetrics metrics;
    private volatile ServerSettings live;
    private volatile Map<String, KafkaServer> servers = Map.of();

    /// @param loops event loops of the connections; closed by whoever made them
    public NodeListeners(ServerSettings settings, LoopResources loops, NetworkMetrics metrics) {
        this.settings = settings;
        live = settings;
        this.loops = loops;
        this.metrics = metrics;
    }

    /// Binds them all; undone by letting connections finish what they have in hand, for a bounded time.
    ///
    /// @param registry asked when they are bound
    public Step step(Supplier<ApiRegistry> registry) {
        return new Step("listeners", () -> bind(registry.get()), this::drain, STEP);
    }

    /// What others are told: `advertised.listeners`, where a port of 0 stands for the one bound, and an empty host for
    /// `host`. Known once they are bound.
    public List<Endpoint> advertised(String host) {
        return settings.advertisedListeners().stream()
                .map(endpoint -> new Endpoint(endpoint.listener(), endpoint.securityProtocol(),
                        endpoint.host().isEmpty() ? host : endpoint.host(),
                        endpoint.port() == 0 ? boundPort(endpoint.listener()) : endpoint.port()))
                .toList();
    }

    /// Who is connected, and what is asked for.
    NetworkMetrics metrics() {
        return metrics;
    }

    /// Whether all are bound.
    public boolean bound() {
        return !servers.isEmpty();
    }

    private void bind(ApiRegistry registry) {
        var bound = new LinkedHashMap<String, KafkaServer>();
        try {
            for (var listener : settings.listeners()) {
                bound.put(listener.listener(), KafkaServer.bind(config(listener), loops, registry, metrics));
            }
        } catch (ChannelBindException failure) {
            bound.values().forEach(KafkaServer::close);
            throw new StartRefused("kafka.listeners: cannot bind " + failure.localHost() + ":" + failure.localPort()
                    + ": " + failure.getMessage());
        }
        servers = Map.copyOf(bound);
    }

    /// Limits connections as `now` says, from the next one on.
    public void limit(ServerSettings now) {
        live = now;
        var limits = limits(now);
        servers.values().forEach(server -> server.limit(limits));
    }

    private void drain() {
        var bound = servers;
        servers = Map.of();
        bound.values().forEach(server -> server.drain(DRAIN));
    }

    private int boundPort(String listener) {
        var server = servers.get(listener);
        if (server == null) {
            throw new IllegalStateException("listener " + listener + " is advertised and not bound");
        }
        return server.address().getPort();
    }

    private ListenerConfig config(Endpoint listener) {
        var defaults = ConnectionLimits.DEFAULTS;
        return new ListenerConfig(listener.listener(), listener.host(), listener.port())
                .with(new ConnectionLimits(settings.getInt("socket.request.max.bytes"), defaults.maxInFlight(),
                        Duration.ofMillis(settings.getLong("connections.max.idle.ms"))))
                .with(limits(live))
                .with(new Sockets(settings.getInt("socket.send.buffer.bytes"),
                        settings.getInt("socket.receive.buffer.bytes"), settings.getInt("socket.listen.backlog.size")));
    }

    private static TotalLimits limits(ServerSettings now) {
        long memory = now.getLong("queued.max.request.bytes");
        return new TotalLimits(Math.max(1, now.getInt("max.connections")), now.getInt("max.connections.per.ip"),
                memory > 0 ? memory : TotalLimits.DEFAULTS.requestMemoryBytes());
    }
}
