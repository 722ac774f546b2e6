package io.millrace.base.loop;

import java.time.Duration;

/// A moment of elapsed time after which waiting has no use any more.
///
/// @param ticker what `atNanos` was read from
/// @param atNanos a reading of `ticker`
public record Deadline(Ticker ticker, long atNanos) {
    private static final Duration FOREVER = Duration.ofDays(36_500);

    /// The moment `wait` from now. A wait beyond 100 years is cut to that, so that nothing overflows.
    public static Deadline in(Duration wait, Ticker ticker) {
        var bounded = wait.compareTo(FOREVER) > 0 ? FOREVER : wait;
        return new Deadline(ticker, ticker.nanos() + bounded.toNanos());
    }

    /// What is left; zero once it has passed, never negative.
    public Duration remaining() {
        return Duration.ofNanos(Math.max(0, atNanos - ticker.nanos()));
    }

    /// Whether it has passed.
    public boolean passed() {
        return atNanos - ticker.nanos() <= 0;
    }
}
