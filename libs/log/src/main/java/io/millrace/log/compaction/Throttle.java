package io.millrace.log.compaction;

import java.time.Duration;
import java.util.function.BooleanSupplier;

import io.millrace.base.loop.Ticker;

/// Holds the cleaner's threads to so many bytes a second, all together. Any thread may call.
final class Throttle {
    private static final double NANOS = 1e9;
    private static final long MOST_NANOS = Duration.ofMillis(300).toNanos();

    private final double bytesPerSecond;
    private final Ticker ticker;
    private final Pause pause;
    private long freeAtNanos;

    Throttle(double bytesPerSecond, Ticker ticker, Pause pause) {
        this.bytesPerSecond = bytesPerSecond;
        this.ticker = ticker;
        this.pause = pause;
        this.freeAtNanos = ticker.nanos();
    }

    /// Waits until the bytes of those before are paid for, or `goesOn` is no longer so; these are paid for by the next.
    void take(int bytes, BooleanSupplier goesOn) {
        long wait = reserve(bytes);
        while (wait > 0 && goesOn.getAsBoolean()) {
            pause.pause(Duration.ofNanos(Math.min(wait, MOST_NANOS)));
            wait -= MOST_NANOS;
        }
    }

    private synchronized long reserve(int bytes) {
        long now = ticker.nanos();
        long wait = freeAtNanos - now;
        freeAtNanos = Math.max(freeAtNanos, now) + (long) (bytes / bytesPerSecond * NANOS);
        return wait;
    }
}
