package io.millrace.admin;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

import io.millrace.base.loop.Ticker;

/// How old the metadata may be: they are the newest while the stream is up. As exact as it is asked often. Thread-safe.
final class Freshness {
    private final BooleanSupplier streaming;
    private final Ticker ticker;
    private final AtomicLong lastNanos;

    /// @param streaming whether the stream is up
    Freshness(BooleanSupplier streaming, Ticker ticker) {
        this.streaming = streaming;
        this.ticker = ticker;
        lastNanos = new AtomicLong(ticker.nanos());
    }

    long ageMillis() {
        long now = ticker.nanos();
        if (streaming.getAsBoolean()) {
            lastNanos.set(now);
            return 0;
        }
        return TimeUnit.NANOSECONDS.toMillis(now - lastNanos.get());
    }
}
