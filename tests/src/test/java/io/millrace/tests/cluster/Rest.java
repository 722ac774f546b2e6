package io.millrace.tests.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// One cluster at the REST API of a running admin-api.
public final class Rest {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final String base;
    private final JsonMapper json = JsonMapper.builder().build();

    /// @param admin where it listens
    public Rest(String admin) {
        String clusters = admin + "/v3/clusters";
        this.base = clusters + "/" + json.readTree(Scrape.get(clusters)).at("/data/0/cluster_id").stringValue() + "/";
    }

    /// The body of an answer.
    public JsonNode get(String path) {
        return json.readTree(Scrape.get(base + path));
    }

    /// The body of an answer that says that it was done or is being done; the test fails where it was not.
    ///
    /// @param method one that changes something
    ///
    /// @param headers more of them, names and values in turn
    public JsonNode send(String method, String path, String body, String... headers) {
        try (HttpClient client = HttpClient.newHttpClient()) {
            var request = HttpRequest.newBuilder(URI.create(base + path)).timeout(LIMIT).header("Content-Type",
                    "application/json").method(method, HttpRequest.BodyPublishers.ofString(body));
            if (headers.length > 0) {
                request.headers(headers);
            }
            var answer = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).as("%s %s: %s", method, path, answer.body()).isBetween(200, 299);
            return answer.body().isEmpty() ? json.nullNode() : json.readTree(answer.body());
        } catch (IOException e) {
            throw new UncheckedIOException(path, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
