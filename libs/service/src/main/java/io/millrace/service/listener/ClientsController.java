package io.millrace.service.listener;

import java.util.List;

import lombok.RequiredArgsConstructor;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/// `GET /clients`: who is connected to the Kafka listeners of this node, and what they ask for.
@RestController
@RequiredArgsConstructor
public class ClientsController {
    private final NodeListeners listeners;

    /// @param clients that are connected now
    /// @param apis asked for since the start, by all of them
    public record Told(List<Client> clients, List<Api> apis) {}

    /// @param software as they call themselves
    public record Client(String listener, String software, String version, int connections) {}

    /// @param deprecated whether Kafka's newest clients do not speak that version any more
    public record Api(String api, short version, long requests, boolean deprecated) {}

    @GetMapping("/clients")
    Told clients() {
        var metrics = listeners.metrics();
        return new Told(metrics.clients().stream().map(one -> new Client(one.listener(), one.software().name(), one
                .software().version(), one.connections())).toList(), metrics.uses().stream().map(one -> new Api(one
                        .api(), one.version(), one.requests(), one.deprecated())).toList());
    }
}
