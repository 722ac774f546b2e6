package io.millrace.base.loop;

import java.time.Duration;
import java.util.random.RandomGenerator;

/// How long to wait before the n-th retry: doubles from `first` up to `most`, less a random part of up to a quarter, so
/// that many waiters do not come back in one moment.
///
/// @param first the wait before the first retry, before jitter
/// @param most no wait is longer
public record Backoff(Duration first, Duration most) {
    private static final int MAX_DOUBLINGS = 30;

    public Backoff {
        if (first.isNegative() || first.isZero() || most.compareTo(first) < 0) {
            throw new IllegalArgumentException("backoff from " + first + " to " + most);
        }
    }

    /// @param attempt 0 before the first retry
    public Duration delay(int attempt, RandomGenerator random) {
        long uncapped = first.toMillis() << Math.clamp(attempt, 0, MAX_DOUBLINGS);
        long millis = uncapped < first.toMillis() ? most.toMillis() : Math.min(uncapped, most.toMillis());
        return Duration.ofMillis(millis - random.nextLong(millis / 4 + 1));
    }
}
