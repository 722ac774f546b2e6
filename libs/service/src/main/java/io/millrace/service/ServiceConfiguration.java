package io.millrace.service;

import io.millrace.service.config.ServerSettings;
import io.millrace.service.lifecycle.LifecycleConfiguration;
import io.millrace.service.metrics.MetricsConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.ConfigurableEnvironment;

/// The beans that every service has: [ServerSettings], [io.millrace.service.lifecycle.HttpAddress],
/// [io.millrace.service.metrics.KafkaMeters], readiness, version, common tags.
@Configuration(proxyBeanMethods = false)
@Import({LifecycleConfiguration.class, MetricsConfiguration.class})
public class ServiceConfiguration {

    @Bean
    ServerSettings serverSettings(ConfigurableEnvironment environment) {
        return ServerSettings.from(environment);
    }
}
