package io.millrace.controller.probe;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.millrace.metadata.image.Endpoint;
import io.millrace.metadata.image.NodeImage;
import io.millrace.metadata.image.NodeState;
import io.millrace.metadata.image.Role;
import org.junit.jupiter.api.Test;

class KafkaProbeIT {
    private final KafkaProbe probe = new KafkaProbe(Duration.ofMillis(500));

    @Test
    void processThatIsGoneIsDead() throws Exception {
        var port = listen();
        port.close();

        assertThat(isDead(port.getLocalPort())).isTrue();
    }

    @Test
    void processThatAcceptsAndSaysNothingIsDead() throws Exception {
        // As the system does it for a process that is stopped.
        try (var port = listen()) {
            assertThat(isDead(port.getLocalPort())).isTrue();
        }
    }

    @Test
    void whoAnswersIsAlive() throws Exception {
        try (var port = listen()) {
            Thread.ofVirtual().start(() -> answer(port));

            assertThat(isDead(port.getLocalPort())).isFalse();
        }
    }

    @Test
    void whoHangsUpIsAlive() throws Exception {
        try (var port = listen()) {
            Thread.ofVirtual().start(() -> {
                try {
                    port.accept().close();
                } catch (IOException _) {
                    // The test is over.
                }
            });

            assertThat(isDead(port.getLocalPort())).isFalse();
        }
    }

    @Test
    void nodeWithoutAnAddressIsNotSaidToBeDead() throws Exception {
        var node = new NodeImage(Role.ADMIN, 1, 1, List.of(), null, null, "", NodeState.ACTIVE);

        assertThat(probe.isDead(node).get(10, TimeUnit.SECONDS)).isFalse();
    }

    private boolean isDead(int port) throws Exception {
        var endpoint = new Endpoint("PLAINTEXT", "PLAINTEXT", "localhost", port);
        var node = new NodeImage(Role.BROKER, 1, 1, List.of(endpoint), null, null, "", NodeState.ACTIVE);
        return probe.isDead(node).get(10, TimeUnit.SECONDS);
    }

    private static void answer(ServerSocket port) {
        try (var client = port.accept()) {
            client.getInputStream().readNBytes(14);
            client.getOutputStream().write(new byte[4]);
        } catch (IOException _) {
            // The test is over.
        }
    }

    private static ServerSocket listen() throws IOException {
        return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }
}
