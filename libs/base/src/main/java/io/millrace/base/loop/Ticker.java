package io.millrace.base.loop;

import java.time.Duration;

/// Elapsed time: never goes back, unrelated to the wall clock, comparable only within one process.
@FunctionalInterface
public interface Ticker {

    /// The process's own monotonic clock.
    Ticker SYSTEM = System::nanoTime;

    /// Nanoseconds since an arbitrary origin; compare by subtraction only.
    long nanos();

    /// What has passed since `startNanos`, an earlier reading of this ticker.
    default Duration since(long startNanos) {
        return Duration.ofNanos(nanos() - startNanos);
    }
}
