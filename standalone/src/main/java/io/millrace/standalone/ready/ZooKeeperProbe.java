package io.millrace.standalone.ready;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/// Asks a ZooKeeper by its four-letter word `srvr`.
final class ZooKeeperProbe {

    private final int timeoutMillis;

    ZooKeeperProbe(Duration timeout) {
        this.timeoutMillis = Math.toIntExact(timeout.toMillis());
    }

    /// Returns if the server takes requests.
    void check(String host, int port) throws NotReady {
        try (var socket = new Socket()) {
            socket.connect(new InetSocketAddress(host, port), timeoutMillis);
            socket.setSoTimeout(timeoutMillis);
            socket.getOutputStream().write("srvr".getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            if (!answer.contains("Mode:")) {
                throw new NotReady("zookeeper does not serve yet: " + answer.trim());
            }
        } catch (IOException e) {
            throw new NotReady("zookeeper does not answer at " + host + ":" + port + ": " + e.getMessage());
        }
    }
}
