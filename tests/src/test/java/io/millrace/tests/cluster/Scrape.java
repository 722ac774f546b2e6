package io.millrace.tests.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.stream.Stream;

/// Reads what services answer over HTTP.
public final class Scrape {

    private static final String ACTIVE_CONTROLLERS = "kafka_controller_kafkacontroller_activecontrollercount";

    private Scrape() {}

    /// Whether the controller there says that it is in office.
    static boolean isActiveController(String http) {
        return get(http + "/actuator/prometheus").lines()
                .anyMatch(line -> line.startsWith(ACTIVE_CONTROLLERS) && line.endsWith(" 1.0"));
    }

    /// The sum of the samples of a metric at some services.
    ///
    /// @param labels each as the scrape has it, `name="value"`
    public static double sum(Stream<String> https, String metric, String... labels) {
        return https.flatMap(http -> get(http + "/actuator/prometheus").lines())
                .filter(line -> line.startsWith(metric + "{") || line.startsWith(metric + " "))
                .filter(line -> Stream.of(labels).allMatch(line::contains))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .filter(value -> !Double.isNaN(value))
                .sum();
    }

    /// The body of an answer; the test fails if its status is not 200.
    public static String get(String address) {
        HttpResponse<String> response = answer(address);
        assertThat(response.statusCode()).as("GET %s: %s", address, response.body()).isEqualTo(200);
        return response.body();
    }

    /// The answer to a GET, redirections followed.
    static HttpResponse<String> answer(String address) {
        try (HttpClient client = HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NORMAL).build()) {
            return client.send(HttpRequest.newBuilder(URI.create(address)).timeout(Duration.ofSeconds(20)).build(),
                    HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(address, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
