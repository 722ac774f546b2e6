package io.millrace.service.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.observation.ObservationRegistry;
import io.millrace.service.lifecycle.SoftwareVersion;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import org.springframework.boot.micrometer.metrics.autoconfigure.MeterRegistryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/// The tag `application`, by which the services of one JVM are told apart, `millrace.build.info`, and under which names
/// Prometheus gets it all.
@Configuration(proxyBeanMethods = false)
public class MetricsConfiguration {

    @Bean
    MeterRegistryCustomizer<MeterRegistry> commonTags(Environment environment) {
        var application = environment.getProperty("spring.application.name", "millrace");
        return registry -> registry.config().commonTags("application", application);
    }

    /// `millrace.metrics.dialect` chooses the names; `millrace.metrics.per-partition=false` leaves out what has a series for
    /// each partition: with many of them, most of what a broker tells.
    @Bean
    PrometheusRegistry exposition(Environment environment) {
        return new Exposition(Dialect.named(environment.getProperty("millrace.metrics.dialect", "strimzi")),
                environment.getProperty("millrace.metrics.per-partition", Boolean.class, true));
    }

    @Bean
    MeterBinder jvmAliases() {
        return new JvmAliases();
    }

    @Bean
    MeterBinder buildInfo() {
        var version = SoftwareVersion.current();
        return registry -> Gauge.builder("millrace.build.info", () -> 1).tag("version", version)
                .description("1, for its tags").register(registry);
    }

    @Bean
    Telemetry telemetry(MeterRegistry registry, ObservationRegistry observations) {
        return new Telemetry(registry, observations);
    }

    @Bean
    KafkaMeters kafkaMeters(MeterRegistry registry) {
        return new KafkaMeters(registry);
    }
}
