package io.millrace.service.lifecycle;

import java.util.List;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/// Ready where every [ReadinessCheck] is; shows each by name.
final class ServiceHealth implements HealthIndicator {
    private final List<ReadinessCheck> checks;

    ServiceHealth(List<ReadinessCheck> checks) {
        this.checks = List.copyOf(checks);
    }

    @Override
    public Health health() {
        var health = Health.up();
        for (var check : checks) {
            var whyNot = check.whyNot().get();
            health.withDetail(check.name(), whyNot.orElse("ready"));
            if (whyNot.isPresent()) {
                health.outOfService();
            }
        }
        return health.build();
    }
}
