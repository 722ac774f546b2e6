package io.millrace.bench.failover;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

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

    /// Does something beside what is measured.
    static CompletableFuture<Long> inBackground(LongSupplier work) {
        var result = new CompletableFuture<Long>();
        Thread.ofVirtual().start(() -> {
            try {
                result.complete(work.getAsLong());
            } catch (RuntimeException | Error failure) {
                result.completeExceptionally(failure);
            }
        });
        return result;
    }

    /// Lets a cluster come to rest between two measurements.
    static void settle() {
        LockSupport.parkNanos(Duration.ofSeconds(2).toNanos());
    }
}
