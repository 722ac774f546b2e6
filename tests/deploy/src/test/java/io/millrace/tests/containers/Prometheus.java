package io.millrace.tests.containers;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import com.google.gson.JsonArray;
import com.google.gson.JsonParser;

/// A Prometheus of this machine's (Debian's package prometheus) that scrapes containers once a second, with the labels that
/// the chart gives them.
final class Prometheus implements AutoCloseable {
    private final HttpClient http = HttpClient.newHttpClient();
    private final int port;
    private final Process process;

    /// @param folder for its data
    /// @param targets host and port of each service, by its name
    Prometheus(Path folder, Map<String, String> targets) throws IOException {
        try (var socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }
        var config = new StringBuilder("global: {scrape_interval: 1s}\nscrape_configs:\n- job_name: millrace\n")
                .append("  metrics_path: /actuator/prometheus\n  static_configs:\n");
        targets.forEach((service, target) -> config.append("  - {targets: ['").append(target).append(
                "'], labels: {namespace: test, cluster: millrace, pod: ").append(service).append("}}\n"));
        var file = Files.writeString(folder.resolve("prometheus.yml"), config);
        process = new ProcessBuilder("/usr/bin/prometheus", "--config.file=" + file, "--storage.tsdb.path=" + folder
                .resolve("data"), "--web.listen-address=127.0.0.1:" + port).redirectErrorStream(true).redirectOutput(
                        folder.resolve("log").toFile()).start();
    }

    /// The series that a query gives now; none where it is not up yet.
    JsonArray query(String query) {
        try {
            var answer = http.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port
                    + "/api/v1/query?query=" + URLEncoder.encode(query, StandardCharsets.UTF_8))).timeout(Duration
                            .ofSeconds(10)).build(), BodyHandlers.ofString());
            if (answer.statusCode() == 503) {
                return new JsonArray();
            }
            return JsonParser.parseString(answer.body()).getAsJsonObject().getAsJsonObject("data").getAsJsonArray(
                    "result");
        } catch (IOException notUp) {
            return new JsonArray();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        process.destroy();
        try {
            process.waitFor(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        process.destroyForcibly();
    }
}
