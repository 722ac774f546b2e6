package io.millrace.tests.containers;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The cluster of docker-compose.yml under a project and ports of its own.
final class ComposeCluster implements AutoCloseable {
    static final List<String> BROKERS = List.of("broker-0", "broker-1", "broker-2");
    static final List<String> SERVICES = Stream.concat(BROKERS.stream(), Stream.of("coordinator-0", "coordinator-1",
            "controller-0", "controller-1", "admin-api")).toList();
    private static final Duration READY = Duration.ofMinutes(6);

    private final String project = "millrace-test-" + ProcessHandle.current().pid();
    private final List<String> compose = Stream.concat(Docker.compose().stream(), Stream.of("-f", "docker-compose.yml",
            "-f", "tests/images/quick-starts.yml")).toList();
    private final Map<String, String> environment = new HashMap<>();
    private final Map<String, String> ids = new HashMap<>();
    private final HttpClient http = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();

    ComposeCluster() throws IOException {
        environment.put("COMPOSE_PROJECT_NAME", project);
        for (var port : List.of("BROKER_0", "BROKER_1", "BROKER_2", "COORDINATOR_0", "COORDINATOR_1", "ADMIN")) {
            environment.put("MILLRACE_PORT_" + port, String.valueOf(freePort()));
        }
    }

    /// Starts what does not run, as a person would.
    ///
    /// @param services all of them where none is named
    void up(String... services) {
        compose(List.of("up", "-d", "--no-build"), services);
    }

    /// Makes all containers and volumes that are missing, and starts nothing.
    void create() {
        compose(List.of("up", "--no-start", "--no-build"));
    }

    /// Replaces containers by new ones of the same image, as an upgrade would.
    void recreate(List<String> services) {
        compose(List.of("up", "-d", "--no-build", "--no-deps", "--force-recreate"), services.toArray(String[]::new));
        ids.keySet().removeAll(services);
    }

    /// Takes a broker away for good, with its disk.
    void lose(String broker) {
        compose(List.of("rm", "--stop", "--force", broker));
        Docker.docker("volume", "rm", project + "_" + broker);
        ids.remove(broker);
    }

    /// Removes all containers and volumes.
    void wipe() {
        compose(List.of("down", "--volumes", "--timeout", "5"));
        ids.clear();
    }

    /// The brokers as clients on this machine know them.
    String bootstrap() {
        return "localhost:" + port("BROKER_0") + ",localhost:" + port("BROKER_1") + ",localhost:" + port("BROKER_2");
    }

    int port(String service) {
        return Integer.parseInt(environment.getOrDefault("MILLRACE_PORT_" + service, "0"));
    }

    /// The container of a service.
    String container(String service) {
        return ids.computeIfAbsent(service, _ -> Docker.docker("ps", "-aq", "--no-trunc", "-f",
                "label=com.docker.compose.project=" + project, "-f", "label=com.docker.compose.service=" + service)
                .lines().findFirst().orElseThrow(() -> new AssertionError("no container of " + service)));
    }

    void stop(String... services) {
        all("stop", services);
    }

    void start(String... services) {
        all("start", services);
    }

    void kill(String... services) {
        all("kill", services);
    }

    /// Takes its network away, from all others and from clients.
    void cut(String service) {
        Docker.docker("network", "disconnect", network(), container(service));
    }

    void heal(String service) {
        Docker.docker("network", "connect", "--alias", service, network(), container(service));
    }

    private String network() {
        return project + "_default";
    }

    /// Whether its readiness answers 200.
    boolean ready(String service) {
        return status(service, "/actuator/health/readiness") == 200;
    }

    boolean alive(String service) {
        return status(service, "/actuator/health/liveness") == 200;
    }

    /// Runs commands of docs/operations.md as they stand there, on the volumes of this cluster.
    ///
    /// @param folder in which they run
    void run(String commands, Path folder) {
        Docker.run(folder, Map.of(), "sh", "-ec", commands.replace("millrace_", project + "_"));
    }

    /// The status of what is asked over HTTP; -1 where nobody answers.
    int status(String service, String path) {
        return ask(service, path).map(HttpResponse::statusCode).orElse(-1);
    }

    /// What is answered over HTTP; empty where nobody answers.
    String get(String service, String path) {
        return ask(service, path).map(HttpResponse::body).orElse("");
    }

    /// Where the HTTP of running services is, by their names.
    Map<String, String> addresses(List<String> services) {
        return services.stream().collect(Collectors.toMap(service -> service, service -> address(service) + ":8080"));
    }

    private String address(String service) {
        return Docker.inspect(container(service), "{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}");
    }

    private Optional<HttpResponse<String>> ask(String service, String path) {
        var address = address(service);
        if (address.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(http.send(HttpRequest.newBuilder(URI.create("http://" + address + ":8080" + path))
                    .timeout(Duration.ofSeconds(5)).build(), BodyHandlers.ofString()));
        } catch (IOException away) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    void awaitReady(List<String> services) {
        for (var service : services) {
            await(service + " is ready").atMost(READY).pollInterval(Duration.ofMillis(300)).until(() -> ready(service));
        }
    }

    String logs(String service) {
        return Docker.docker("logs", "--tail", "200", container(service));
    }

    private void all(String verb, String... services) {
        var arguments = new ArrayList<>(List.of(verb));
        if (verb.equals("stop")) {
            arguments.addAll(List.of("-t", "90"));
        }
        Stream.of(services).map(this::container).forEach(arguments::add);
        Docker.docker(arguments.toArray(String[]::new));
    }

    private void compose(List<String> verb, String... services) {
        var command = new ArrayList<>(compose);
        command.addAll(verb);
        command.addAll(List.of(services));
        Docker.run(Docker.HOME, environment, command.toArray(String[]::new));
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    @Override
    public void close() {
        wipe();
    }
}
