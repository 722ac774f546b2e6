package io.millrace.standalone.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import com.sun.net.httpserver.HttpServer;
import io.millrace.standalone.process.Failed;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImageTest {
    private static final String LABEL = "topology.kubernetes.io/zone";
    private static final String NODE = """
            {"kind":"Node","metadata":{"name":"worker-1","labels":{"topology.kubernetes.io/zone":"eu-1b"}},"spec":{}}""";

    @TempDir
    private Path folder;

    private HttpServer server;
    private int status = 200;

    @BeforeEach
    void serve() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            var path = exchange.getRequestURI().getPath();
            boolean leave = List.of("Bearer s3cret").equals(exchange.getRequestHeaders().get("Authorization"));
            boolean known = path.startsWith("/actuator") || (leave && path.equals("/api/v1/nodes/worker-1"));
            var body = (known ? NODE : "{}").getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(known ? status : 403, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        Files.writeString(folder.resolve("token"), "s3cret\n");
    }

    @AfterEach
    void end() {
        server.stop(0);
    }

    @Test
    void zoneOfTheNodeBecomesTheRack() throws IOException {
        zone().write("worker-1", LABEL, folder.resolve("rack"));

        assertThat(folder.resolve("rack")).hasContent("kafka.broker.rack=eu-1b\n");
    }

    @Test
    void nodeWithoutTheLabelHasNoRack() {
        zone().write("worker-1", "no.such/label", folder.resolve("rack"));

        assertThat(folder.resolve("rack")).isEmptyFile();
    }

    @Test
    void refusalOfTheApiIsToldAndNothingWritten() {
        assertThatExceptionOfType(Failed.class)
                .isThrownBy(() -> zone().write("another", LABEL, folder.resolve("rack")))
                .withMessageContaining("403");
        assertThat(folder.resolve("rack")).doesNotExist();
    }

    @Test
    void healthIsWhatTheServiceAnswers() {
        var port = String.valueOf(server.getAddress().getPort());

        assertThat(HealthCheck.healthy(port, "/actuator/health/readiness")).isTrue();
        status = 503;
        assertThat(HealthCheck.healthy(port, "/actuator/health/readiness")).isFalse();
        server.stop(0);
        assertThat(HealthCheck.healthy(port, "/actuator/health/readiness")).isFalse();
    }

    private NodeZone zone() {
        return new NodeZone(URI.create("http://127.0.0.1:" + server.getAddress().getPort()), folder);
    }
}
