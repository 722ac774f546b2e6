package io.millrace.wire.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.wire.api.ApiHandler;
import io.millrace.wire.api.ApiRegistry;
import io.millrace.wire.api.VersionTable;
import io.millrace.wire.connection.ConnectionLimits;
import io.millrace.wire.connection.NetworkMetrics;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.util.ResourceLeakDetector;
import reactor.netty.resources.LoopResources;

/// A server on a free port of loopback, with the handlers of a test. Buffers are watched for leaks.
public final class ServerFixture implements AutoCloseable {
    private static final Queue<String> LEAKS = new ConcurrentLinkedQueue<>();

    static {
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
        ByteBufUtil.setLeakListener((type, _) -> LEAKS.add(type));
    }

    private final LoopResources loops = LoopResources.create("test", 1, 2, true);
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final List<RawClient> clients = new ArrayList<>();
    private final KafkaServer server;

    private ServerFixture(ListenerConfig config, List<ApiHandler<?, ?>> handlers) {
        server = KafkaServer.bind(config, loops, ApiRegistry.of(VersionTable.MILLRACE, handlers),
                new NetworkMetrics(meters));
    }

    public static ServerFixture of(ApiHandler<?, ?>... handlers) {
        return of(config(), handlers);
    }

    public static ServerFixture of(ListenerConfig config, ApiHandler<?, ?>... handlers) {
        return new ServerFixture(config, Arrays.asList(handlers));
    }

    static ListenerConfig config() {
        return new ListenerConfig("PLAINTEXT", "127.0.0.1", 0);
    }

    static ConnectionLimits limits(int maxRequestBytes, int maxInFlight, Duration maxIdle) {
        return new ConnectionLimits(maxRequestBytes, maxInFlight, maxIdle);
    }

    public KafkaServer server() {
        return server;
    }

    public LoopResources loops() {
        return loops;
    }

    /// Waits until every loop has done what it was given before this call.
    void awaitLoops() throws InterruptedException {
        for (var loop : loops.onServer(true)) {
            loop.submit(() -> {}).sync();
        }
    }

    SimpleMeterRegistry meters() {
        return meters;
    }

    double connections() {
        return meters.get("kafka.server.socket.server.metrics.connection.count").gauge().value();
    }

    RawClient client() throws IOException {
        var client = new RawClient(server.address());
        clients.add(client);
        return client;
    }

    @Override
    public void close() throws IOException {
        for (var client : clients) {
            client.close();
        }
        server.close();
        loops.disposeLater(Duration.ZERO, Duration.ofSeconds(2)).block(Duration.ofSeconds(5));
        // Netty finds out at an allocation after the collector has found a buffer that nobody released.
        System.gc();
        ByteBufAllocator.DEFAULT.directBuffer(1).release();
        assertThat(LEAKS).isEmpty();
    }
}
