package io.millrace.service.metrics;

import java.util.List;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.config.MeterFilter;
import io.millrace.service.lifecycle.SoftwareVersion;
import org.springframework.boot.micrometer.metrics.autoconfigure.MeterRegistryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/// The tag `application`, by which the services of one JVM are told apart, and `millrace.build.info`.
@Configuration(proxyBeanMethods = false)
public class MetricsConfiguration {
    private static final List<String> PER_PARTITION = List.of("kafka.cluster.partition.", "kafka.log.log.",
            "kafka.server.fetcherlagmetrics.", "millrace.partition.");

    @Bean
    MeterRegistryCustomizer<MeterRegistry> commonTags(Environment environment) {
        var application = environment.getProperty("spring.application.name", "millrace");
        return registry -> registry.config().commonTags("application", application);
    }

    /// `millrace.metrics.per-partition=false` leaves out what has a series for each partition: with many of them, most of what
    /// a broker tells.
    @Bean
    MeterFilter partitionSeries(Environment environment) {
        boolean wanted = environment.getProperty("millrace.metrics.per-partition", Boolean.class, true);
        return MeterFilter.deny(id -> !wanted && PER_PARTITION.stream().anyMatch(id.getName()::startsWith));
    }

    @Bean
    MeterBinder buildInfo() {
        var version = SoftwareVersion.current();
        return registry -> Gauge.builder("millrace.build.info", () -> 1).tag("version", version)
                .description("1, for its tags").register(registry);
    }

    @Bean
    KafkaMeters kafkaMeters(MeterRegistry registry) {
        return new KafkaMeters(registry);
    }
}
