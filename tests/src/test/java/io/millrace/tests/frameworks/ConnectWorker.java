package io.millrace.tests.frameworks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

import io.millrace.tests.program.Framework;
import io.millrace.tests.program.Program;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A worker of Kafka Connect with exactly-once sources, in a process of its own. A worker that is not heard of for six seconds
/// is taken for gone by the others.
final class ConnectWorker implements AutoCloseable {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final JsonMapper json = JsonMapper.builder().build();
    private final String address;
    private final Path settings;
    private final Path log;
    private @Nullable Process process;

    /// Not started yet.
    ///
    /// @param directory for its settings and what it prints
    /// @param port of its REST API
    ConnectWorker(Path directory, String bootstrap, int port) {
        this.address = "127.0.0.1:" + port;
        this.log = directory.resolve(port + ".log");
        var all = Map.ofEntries(Map.entry("bootstrap.servers", bootstrap), Map.entry("group.id", "connect-workers"),
                Map.entry("listeners", "http://" + address), Map.entry("exactly.once.source.support", "enabled"),
                Map.entry("config.storage.topic", "connect-configs"), Map.entry("offset.storage.topic",
                        "connect-offsets"),
                Map.entry("status.storage.topic", "connect-status"), Map.entry("offset.storage.partitions", "1"),
                Map.entry("status.storage.partitions", "1"), Map.entry("config.storage.replication.factor", "3"),
                Map.entry("offset.storage.replication.factor", "3"), Map.entry("status.storage.replication.factor",
                        "3"),
                Map.entry("key.converter", "org.apache.kafka.connect.storage.StringConverter"),
                Map.entry("value.converter", "org.apache.kafka.connect.storage.StringConverter"),
                Map.entry("session.timeout.ms", "6000"), Map.entry("heartbeat.interval.ms", "1000"), Map.entry(
                        "scheduled.rebalance.max.delay.ms", "0"));
        try {
            this.settings = Files.writeString(directory.resolve(port + ".properties"), all.entrySet().stream().map(
                    it -> it.getKey() + "=" + it.getValue()).collect(Collectors.joining("\n")));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /// By which the others know it.
    String address() {
        return address;
    }

    /// All that it printed in its lives.
    Path log() {
        return log;
    }

    void start() {
        process = Framework.connectWorker().with(settings.toString()).start(log);
    }

    void kill() {
        Objects.requireNonNull(process).destroyForcibly().onExit().join();
    }

    void stop() {
        signal("-STOP");
    }

    void resume() {
        signal("-CONT");
    }

    private void signal(String signal) {
        Program.of(List.of("kill", signal, String.valueOf(Objects.requireNonNull(process).pid()))).run().succeeded();
    }

    /// What it answers.
    ///
    /// @throws UncheckedIOException if it says no, or nothing
    JsonNode get(String path) {
        return ask(HttpRequest.newBuilder(URI.create("http://" + address + path)).GET());
    }

    /// Sets up a connector, or changes it.
    ///
    /// @throws UncheckedIOException if it says no, or nothing
    void configure(String connector, Map<String, String> configuration) {
        ask(HttpRequest.newBuilder(URI.create("http://" + address + "/connectors/" + connector + "/config")).header(
                "Content-Type", "application/json").PUT(BodyPublishers.ofString(json.writeValueAsString(
                        configuration))));
    }

    private JsonNode ask(HttpRequest.Builder request) {
        try (HttpClient client = HttpClient.newHttpClient()) {
            var answer = client.send(request.timeout(LIMIT).build(), BodyHandlers.ofString());
            if (answer.statusCode() >= 300) {
                throw new IOException(answer.statusCode() + ": " + answer.body());
            }
            return json.readTree(answer.body());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException interruption) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interruption);
        }
    }

    @Override
    public void close() {
        if (process != null) {
            kill();
        }
    }
}
