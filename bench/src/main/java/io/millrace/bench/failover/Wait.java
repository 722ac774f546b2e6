package io.millrace.bench.failover;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// Looks again and again.
final class Wait {

    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final Duration PAUSE = Duration.ofMillis(10);

    private Wait() {}

    static void until(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("not within " + LIMIT.toSeconds() + " s: " + what);
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }

    /// Lets a cluster come to rest between two measurements.
    static void settle() {
        LockSupport.parkNanos(Duration.ofSeconds(2).toNanos());
    }
}
