package io.millrace.bench.failover;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A cluster that `bin/millrace up` has started.
final class Millrace implements Target {

    private static final String ACTIVE = "kafka_controller_kafkacontroller_activecontrollercount";

    private final String program;
    private final String data;
    private int lastController;

    Millrace(String program, String data) {
        this.program = program;
        this.data = data;
    }

    private JsonNode status() {
        return JsonMapper.builder().build().readTree(
                Shell.run(List.of(program, "status", "--json", "--data", data)).out());
    }

    private List<JsonNode> services(String role) {
        return status().get("services").valueStream().filter(it -> it.get("role").stringValue().equals(role)).toList();
    }

    @Override
    public String bootstrap() {
        return status().get("bootstrap").stringValue();
    }

    @Override
    public long broker(int id) {
        return services("broker").stream().filter(it -> it.get("id").intValue() == id).findFirst().orElseThrow()
                .get("pid").longValue();
    }

    @Override
    public long controller() {
        JsonNode active = services("controller").stream().filter(it -> isActive(it.get("http").stringValue()))
                .findFirst().orElseThrow(() -> new IllegalStateException("no controller is active"));
        lastController = active.get("id").intValue();
        return active.get("pid").longValue();
    }

    private static boolean isActive(String http) {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(HttpRequest.newBuilder(URI.create(http + "/actuator/prometheus"))
                    .timeout(Duration.ofSeconds(10)).build(), HttpResponse.BodyHandlers.ofString()).body().lines()
                    .anyMatch(it -> it.startsWith(ACTIVE) && it.endsWith(" 1.0"));
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public boolean isController(int broker) {
        return false;
    }

    @Override
    public boolean startBroker(int id) {
        return start("broker", id);
    }

    @Override
    public void startController() {
        start("controller", lastController);
    }

    private boolean start(String role, int id) {
        return Shell.run(List.of(program, "start", role, String.valueOf(id), "--data", data)).exitCode() == 0;
    }
}
