package io.millrace.controller.election;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/// Tells a process that is gone from one that is slow or cut off: only of the first does its machine refuse connections.
public final class TcpProbe implements PortProbe {
    private final Duration timeout;

    /// @param timeout of one attempt
    public TcpProbe(Duration timeout) {
        this.timeout = timeout;
    }

    /// Completes on a thread of its own, since names may have to be looked up.
    @Override
    public CompletableFuture<Boolean> refuses(String host, int port) {
        var answer = new CompletableFuture<Boolean>();
        Thread.ofVirtual().name("probe-" + host + ":" + port).start(() -> answer.complete(connect(host, port)));
        return answer;
    }

    private boolean connect(String host, int port) {
        try (var socket = new Socket()) {
            socket.connect(new InetSocketAddress(host, port), Math.toIntExact(timeout.toMillis()));
            return false;
        } catch (ConnectException _) {
            return true;
        } catch (IOException | IllegalArgumentException _) {
            return false;
        }
    }
}
