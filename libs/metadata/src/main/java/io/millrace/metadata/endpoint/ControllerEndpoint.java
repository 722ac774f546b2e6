package io.millrace.metadata.endpoint;

import java.net.InetSocketAddress;
import java.time.Duration;

import io.millrace.base.check.Check;
import io.millrace.metadata.command.CommandRouter;
import io.millrace.metadata.controller.ControllerHttp;
import io.millrace.metadata.stream.MetadataPublisher;
import reactor.netty.DisposableServer;
import reactor.netty.http.HttpProtocol;
import reactor.netty.http.server.HttpServer;

/// The bound port of a controller: `POST /metadata/stream`, `POST /commands/<name>` and `GET /pulse`, over HTTP/2 without TLS; over
/// HTTP/1.1 too, for people with curl.
public final class ControllerEndpoint implements AutoCloseable {
    private static final Duration CLOSE_WAIT = Duration.ofSeconds(3);

    private final DisposableServer server;
    private final MetadataPublisher publisher;

    private ControllerEndpoint(DisposableServer server, MetadataPublisher publisher) {
        this.server = server;
        this.publisher = publisher;
    }

    /// Binds the port and serves at once. Blocks until it is bound.
    ///
    /// @param port 0 takes any
    /// @param publisher closed with the endpoint
    /// @throws RuntimeException where the port cannot be bound
    public static ControllerEndpoint bind(String host, int port, MetadataPublisher publisher, CommandRouter commands) {
        var broken = new BrokenConnections();
        var server = HttpServer.create()
                .host(host)
                .port(port)
                .protocol(HttpProtocol.H2C, HttpProtocol.HTTP11)
                .doOnChannelInit((_, channel, _) -> channel.pipeline().addLast(broken))
                .http2Settings(settings -> settings.initialWindowSize(ControllerHttp.WINDOW_BYTES))
                .route(routes -> routes.post("/metadata/stream", publisher::serve)
                        .get(ControllerHttp.PULSE, publisher::pulse)
                        .post("/commands/{name}", commands::serve))
                .bindNow();
        return new ControllerEndpoint(server, publisher);
    }

    /// Where it listens.
    public InetSocketAddress address() {
        Check.state(server.address() instanceof InetSocketAddress, "bound to %s", server.address());
        return (InetSocketAddress) server.address();
    }

    /// Ends all streams and gives the port back. Commands in hand get no answer.
    @Override
    public void close() {
        publisher.close();
        server.disposeNow(CLOSE_WAIT);
    }
}
