package io.millrace.service.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

class MetricsConfigurationTest {

    @Test
    void seriesOfPartitionsCanBeLeftOut() {
        assertThat(registered("true")).containsExactlyInAnyOrder("kafka.log.log.size", "kafka.log.logmanager.x");
        assertThat(registered("false")).containsExactly("kafka.log.logmanager.x");
    }

    private static Iterable<String> registered(String perPartition) {
        var environment = new StandardEnvironment();
        environment.getPropertySources().addFirst(new MapPropertySource("test", Map.of("millrace.metrics.per-partition",
                perPartition)));
        MeterRegistry meters = new SimpleMeterRegistry();
        meters.config().meterFilter(new MetricsConfiguration().partitionSeries(environment));
        Gauge.builder("kafka.log.log.size", () -> 1).tag("partition", "0").register(meters);
        Gauge.builder("kafka.log.logmanager.x", () -> 1).register(meters);
        return meters.getMeters().stream().map(meter -> meter.getId().getName()).toList();
    }
}
