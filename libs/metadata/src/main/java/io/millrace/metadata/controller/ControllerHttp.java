package io.millrace.metadata.controller;

import java.net.InetSocketAddress;
import java.time.Duration;

import io.netty.channel.ChannelOption;
import reactor.netty.http.HttpProtocol;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;

/// The HTTP/2 client that reaches controllers: a connection of its own for each exchange, so that none waits behind another,
/// and none is taken up that died while it was idle.
public final class ControllerHttp {
    /// A snapshot of some mebibytes would need a round trip for each 64 KiB with the default of HTTP/2.
    public static final int WINDOW_BYTES = 1 << 20;

    /// Where the active controller says again and again that it lives.
    public static final String PULSE = "/pulse";

    private static final int CONNECT_TIMEOUT_MILLIS = 3_000;
    private static final Duration NAME_LIFE = Duration.ofSeconds(2);

    private ControllerHttp() {}

    /// A client whose requests go to `address`; its name is resolved anew where it was not just now.
    public static HttpClient client(ControllerAddress address) {
        return HttpClient.create(ConnectionProvider.newConnection())
                .protocol(HttpProtocol.H2C)
                .headers(headers -> headers.set(WireVersion.HEADER, WireVersion.NEWEST))
                .http2Settings(settings -> settings.initialWindowSize(WINDOW_BYTES))
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_TIMEOUT_MILLIS)
                .resolver(names -> names.cacheMaxTimeToLive(NAME_LIFE).cacheNegativeTimeToLive(Duration.ZERO))
                .disableRetry(true)
                .remoteAddress(() -> InetSocketAddress.createUnresolved(address.host(), address.port()));
    }
}
