package io.millrace.service.lifecycle;

import java.util.Map;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/// What every service's context has: its HTTP address, its readiness by the [ReadinessCheck] beans, its version.
@Configuration(proxyBeanMethods = false)
public class LifecycleConfiguration {

    @Bean
    HttpAddress httpAddress(Environment environment) {
        return new HttpAddress(environment);
    }

    /// Its name makes it `service` in the readiness group.
    @Bean
    HealthIndicator serviceHealthIndicator(ObjectProvider<ReadinessCheck> checks) {
        return new ServiceHealth(checks.orderedStream().toList());
    }

    @Bean
    InfoContributor versionInfo(Environment environment) {
        var build = Map.of("name", environment.getProperty("spring.application.name", "millrace"), "version",
                SoftwareVersion.current());
        return info -> info.withDetail("build", build);
    }
}
