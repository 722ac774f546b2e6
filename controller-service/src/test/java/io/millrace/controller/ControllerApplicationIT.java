package io.millrace.controller;

import static io.millrace.controller.TestCluster.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;

import io.millrace.service.lifecycle.HttpAddress;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/// The service as it is started by people.
class ControllerApplicationIT {

    @Test
    void readyControllerShowsHealthVersionAndTheMetersThatDashboardsKnow() throws Exception {
        try (var cluster = new TestCluster(); var context = start(cluster.server().address())) {
            var http = context.getBean(HttpAddress.class).url() + "/actuator";

            await().atMost(PATIENCE).until(() -> get(http + "/health/readiness").statusCode() == 200);

            assertThat(get(http + "/health/liveness").statusCode()).isEqualTo(200);
            assertThat(get(http + "/info").body()).contains("\"version\"");
            assertThat(get(http + "/prometheus").body()).containsPattern(
                    "kafka_controller_kafkacontroller_activecontrollercount\\{.*} 1.0").contains(
                            "kafka_controller_kafkacontroller_offlinepartitionscount",
                            "kafka_controller_kafkacontroller_globaltopiccount",
                            "kafka_controller_kafkacontroller_activebrokercount",
                            "kafka_controller_controllerstats_uncleanleaderelections_total",
                            "kafka_controller_controllereventmanager_eventqueuetimems",
                            "millrace_metadata_stream_subscribers", "millrace_metadata_lag_ms");
            cluster.server().stop();
            await().atMost(PATIENCE).until(() -> get(http + "/health/readiness").statusCode() == 503);
            assertThat(get(http + "/health/liveness").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void badSettingIsNamedAndStopsTheStart() {
        assertThatThrownBy(() -> start("localhost:1", "--kafka.no.such.setting=1")).hasStackTraceContaining(
                "kafka.no.such.setting");
        assertThatThrownBy(() -> start("localhost:1", "--millrace.controller.stream.port=x")).hasStackTraceContaining(
                "millrace.controller.stream.port");
    }

    private static ConfigurableApplicationContext start(String zookeeper, String... more) {
        var arguments = new ArrayList<>(List.of("--server.port=0", "--server.address=127.0.0.1",
                "--millrace.controller.stream.port=0", "--kafka.zookeeper.connect=" + zookeeper,
                "--kafka.zookeeper.connection.timeout.ms=2000"));
        arguments.addAll(List.of(more));
        return ControllerApplication.application().run(arguments.toArray(String[]::new));
    }

    private static HttpResponse<String> get(String url) throws IOException, InterruptedException {
        try (var client = HttpClient.newHttpClient()) {
            return client.send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofString());
        }
    }
}
