package io.millrace.service.lifecycle;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;

import io.millrace.base.loop.Ticker;
import io.millrace.service.lifecycle.LivenessCheck.NamedLoop;
import org.jspecify.annotations.Nullable;

/// Whether a loop turns: each question puts one task on it, at most one at a time, and looks how long the last one waits.
/// So a loop is judged once it was asked twice. Any thread may ask.
final class LoopPulse {
    private final NamedLoop loop;
    private final Ticker ticker;
    private final Duration limit;
    private final AtomicReference<@Nullable Long> waitingSince = new AtomicReference<>();

    /// @param limit a task that has waited longer means that the loop is stuck
    LoopPulse(NamedLoop loop, Ticker ticker, Duration limit) {
        this.loop = loop;
        this.ticker = ticker;
        this.limit = limit;
    }

    String name() {
        return loop.name();
    }

    /// Why it is thought stuck; empty where it turns.
    Optional<String> stuck() {
        var since = waitingSince.get();
        if (since != null) {
            var waits = ticker.since(since);
            return waits.compareTo(limit) > 0
                    ? Optional.of("has not turned for " + waits.toSeconds() + " s")
                    : Optional.empty();
        }
        Long now = ticker.nanos();
        if (waitingSince.compareAndSet(null, now)) {
            try {
                loop.loop().execute(() -> waitingSince.set(null));
            } catch (RejectedExecutionException closed) {
                waitingSince.set(null);
            }
        }
        return Optional.empty();
    }
}
