package io.millrace.controller.probe;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.millrace.controller.core.Probe;
import io.millrace.metadata.image.Endpoint;
import io.millrace.metadata.image.NodeImage;

/// Asks a node for its API versions, as any Kafka client does first. A process that is gone has its machine refuse the
/// connection; one that hangs, or whose machine does, says nothing. Whatever else comes back, somebody is there.
public final class KafkaProbe implements Probe {
    private static final short API_VERSIONS = 18;
    private static final int REQUEST_BYTES = 10;

    private final Duration timeout;

    /// @param timeout of the connection, and of the answer after it
    public KafkaProbe(Duration timeout) {
        this.timeout = timeout;
    }

    @Override
    public CompletableFuture<Boolean> isDead(NodeImage node) {
        if (node.endpoints().isEmpty()) {
            return CompletableFuture.completedFuture(false);
        }
        var endpoint = node.endpoints().getFirst();
        var answer = new CompletableFuture<Boolean>();
        // Names may have to be looked up, and that blocks too.
        Thread.ofVirtual()
                .name("probe-" + endpoint.host() + ":" + endpoint.port())
                .start(() -> answer.complete(isDead(endpoint)));
        return answer;
    }

    private boolean isDead(Endpoint endpoint) {
        int millis = Math.toIntExact(timeout.toMillis());
        try (var socket = new Socket()) {
            socket.connect(new InetSocketAddress(endpoint.host(), endpoint.port()), millis);
            socket.setSoTimeout(millis);
            var request = new DataOutputStream(socket.getOutputStream());
            request.writeInt(REQUEST_BYTES);
            request.writeShort(API_VERSIONS);
            request.writeShort(0);
            request.writeInt(0);
            request.writeShort(-1);
            request.flush();
            // A listener with TLS closes the connection at that: then it is there as well.
            new DataInputStream(socket.getInputStream()).read();
            return false;
        } catch (ConnectException | SocketTimeoutException | NoRouteToHostException _) {
            return true;
        } catch (IOException | IllegalArgumentException _) {
            return false;
        }
    }
}
