package io.millrace.service.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.millrace.base.loop.Ticker;
import io.millrace.service.ServiceConfiguration;
import io.millrace.service.config.ServerSettings;
import io.millrace.service.metrics.KafkaMeters;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;

/// As standalone runs them: sibling contexts that share nothing but the JVM.
class ServicesInOneJvmIT {
    private static final List<String> NAMES = List.of("controller", "broker", "coordinator", "admin");

    private final List<ConfigurableApplicationContext> contexts = new ArrayList<>();
    private final HttpClient http = HttpClient.newHttpClient();

    @AfterEach
    void close() {
        contexts.forEach(ConfigurableApplicationContext::close);
        http.close();
    }

    @Test
    void fourServicesHaveEachTheirOwnSettingsAddressMetersAndState() throws Exception {
        for (int i = 0; i < NAMES.size(); i++) {
            contexts.add(ServiceApplication.of(NAMES.get(i), Service.class, Map.of("server.port", "0"))
                    .run("--kafka.broker.id=" + i, "--server.address=127.0.0.1"));
        }

        for (int i = 0; i < NAMES.size(); i++) {
            var context = contexts.get(i);
            context.getBean(KafkaMeters.class).counter("kafka.server", "BrokerTopicMetrics", "BytesIn").increment(i);
            var url = context.getBean(HttpAddress.class).url();

            assertThat(context.getBean(ServerSettings.class).getInt("broker.id")).isEqualTo(i);
            assertThat(get(url, "/actuator/health/liveness").body()).contains("UP");
            assertThat(get(url, "/actuator/health/readiness").body()).contains("UP", "\"test\":\"ready\"");
            assertThat(get(url, "/actuator/info").body()).contains(NAMES.get(i), SoftwareVersion.current());
            assertThat(get(url, "/actuator/prometheus").body())
                    .contains("kafka_server_brokertopicmetrics_bytesin_total{application=\"" + NAMES.get(i) + "\"} "
                            + i + ".0")
                    .contains("millrace_build_info{application=\"" + NAMES.get(i) + "\"");
        }
    }

    @Test
    void aServiceThatIsNotReadySaysWhy() throws Exception {
        var context = ServiceApplication.of("broker", Service.class, Map.of("server.port", "0"))
                .run("--server.address=127.0.0.1", "--test.why-not=no controller yet");
        contexts.add(context);
        var url = context.getBean(HttpAddress.class).url();

        var readiness = get(url, "/actuator/health/readiness");

        assertThat(readiness.statusCode()).isEqualTo(503);
        assertThat(readiness.body()).contains("no controller yet");
        assertThat(get(url, "/actuator/health/liveness").statusCode()).isEqualTo(200);
    }

    @Test
    void aBadSettingStopsTheStartByItsName() {
        assertThatThrownBy(() -> ServiceApplication.of("broker", Service.class, Map.of("server.port", "0"))
                .run("--kafka.num.partition=3")).rootCause().isInstanceOf(StartRefused.class)
                .hasMessage("kafka.num.partition: unknown setting");
    }

    private HttpResponse<String> get(String url, String path) throws IOException, InterruptedException {
        return http.send(HttpRequest.newBuilder(URI.create(url + path)).timeout(Duration.ofSeconds(20)).build(),
                HttpResponse.BodyHandlers.ofString());
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import(ServiceConfiguration.class)
    static class Service {

        @Bean
        ServiceLifecycle lifecycle(HttpAddress address) {
            return new ServiceLifecycle("test", List.of(new Step("address", () -> {
                assertThat(address.port()).isPositive();
            }, () -> {})), Ticker.SYSTEM);
        }

        @Bean
        ReadinessCheck check(Environment environment) {
            return new ReadinessCheck("test", () -> Optional.ofNullable(environment.getProperty("test.why-not")));
        }
    }
}
