package io.millrace.service.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.millrace.service.lifecycle.SoftwareVersion;
import org.springframework.boot.micrometer.metrics.autoconfigure.MeterRegistryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/// The tag `application`, by which the services of one JVM are told apart, and `millrace.build.info`.
@Configuration(proxyBeanMethods = false)
public class MetricsConfiguration {

    @Bean
    MeterRegistryCustomizer<MeterRegistry> commonTags(Environment environment) {
        var application = environment.getProperty("spring.application.name", "millrace");
        return registry -> registry.config().commonTags("application", application);
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
