package io.millrace.service.lifecycle;

import java.util.List;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/// Alive while every loop of the [LivenessCheck]s turns; shows those that do not.
final class LoopsHealth implements HealthIndicator {
    private final List<LoopPulse> pulses;

    LoopsHealth(List<LoopPulse> pulses) {
        this.pulses = List.copyOf(pulses);
    }

    @Override
    public Health health() {
        var health = Health.up().withDetail("count", pulses.size());
        for (var pulse : pulses) {
            pulse.stuck().ifPresent(reason -> health.down().withDetail(pulse.name(), reason));
        }
        return health.build();
    }
}
