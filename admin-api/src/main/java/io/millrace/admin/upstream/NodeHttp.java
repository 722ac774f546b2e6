package io.millrace.admin.upstream;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import io.millrace.metadata.image.NodeImage;
import lombok.extern.slf4j.Slf4j;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// What nodes tell over HTTP, as JSON. Whoever does not answer in time tells nothing. Thread-safe.
@Slf4j
public final class NodeHttp {
    /// A person waits for it, and the rest of the answer is there already.
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final int OK = 200;

    private final HttpClient http = HttpClient.newBuilder().connectTimeout(PATIENCE).build();
    private final JsonMapper json = JsonMapper.shared();

    /// Asks one node; empty where it has no address, does not answer, or refuses.
    ///
    /// @param path with its slash
    public CompletableFuture<Optional<JsonNode>> get(NodeImage node, String path) {
        if (node.http() == null) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        var request = HttpRequest.newBuilder(URI.create(node.http() + path)).timeout(PATIENCE).build();
        return http.sendAsync(request, BodyHandlers.ofString()).thenApply(answer -> answer.statusCode() == OK
                ? Optional.of(json.readTree(answer.body()))
                : Optional.<JsonNode>empty()).exceptionally(failure -> {
                    log.debug("event=node-silent node={}-{} path={} cause=\"{}\"", node.role(), node.id(), path, failure
                            .toString());
                    return Optional.empty();
                });
    }
}
