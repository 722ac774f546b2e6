package io.millrace.service.lifecycle;

import java.time.Duration;
import java.util.Map;

import io.millrace.base.loop.Ticker;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/// What every service's context has: its HTTP address, its readiness by the [ReadinessCheck] beans, its
/// liveness by the [LivenessCheck] beans, its version.
@Configuration(proxyBeanMethods = false)
public class LifecycleConfiguration {
    /// Longer than any pause that ends by itself: a collection, a disk that is busy.
    private static final Duration STUCK_AFTER = Duration.ofSeconds(30);

    @Bean
    HttpAddress httpAddress(Environment environment) {
        return new HttpAddress(environment);
    }

    /// Its name makes it `service` in the readiness group.
    @Bean
    HealthIndicator serviceHealthIndicator(ObjectProvider<ReadinessCheck> checks) {
        return new ServiceHealth(checks.orderedStream().toList());
    }

    /// Its name makes it `loops` in the liveness group.
    @Bean
    HealthIndicator loopsHealthIndicator(ObjectProvider<LivenessCheck> checks) {
        return new LoopsHealth(checks.orderedStream().flatMap(check -> check.loops().stream())
                .map(loop -> new LoopPulse(loop, Ticker.SYSTEM, STUCK_AFTER)).toList());
    }

    @Bean
    InfoContributor versionInfo(Environment environment) {
        var build = Map.of("name", environment.getProperty("spring.application.name", "millrace"), "version",
                SoftwareVersion.current());
        return info -> info.withDetail("build", build);
    }
}
