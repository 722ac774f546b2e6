package io.millrace.broker.replication;

import java.time.Duration;
import java.util.Arrays;

import io.millrace.base.loop.Ticker;

/// How much comes in a second, over the last few windows of time, as Kafka's quotas count it. Any thread; its monitor guards
/// a few additions.
final class WindowedRate {
    private static final double NANOS_A_SECOND = 1e9;

    private final Ticker ticker;
    private final long windowNanos;
    private final long origin;
    private final long[] amounts;
    /// Which window each amount is of, counted from the origin.
    private final long[] numbers;

    /// @param windows how many count, the one under way among them
    WindowedRate(Ticker ticker, int windows, Duration window) {
        this.ticker = ticker;
        this.windowNanos = window.toNanos();
        this.origin = ticker.nanos();
        this.amounts = new long[windows];
        this.numbers = new long[windows];
        Arrays.fill(numbers, -1);
    }

    synchronized void record(long amount) {
        long number = elapsed() / windowNanos;
        int slot = (int) (number % amounts.length);
        if (numbers[slot] != number) {
            numbers[slot] = number;
            amounts[slot] = 0;
        }
        amounts[slot] += amount;
    }

    /// Over the time since the oldest window with anything in it began, but at least over one window.
    synchronized double perSecond() {
        long now = elapsed();
        long newest = now / windowNanos;
        long oldest = newest;
        long sum = 0;
        for (int slot = 0; slot < amounts.length; slot++) {
            if (numbers[slot] >= 0 && numbers[slot] > newest - amounts.length) {
                sum += amounts[slot];
                oldest = Math.min(oldest, numbers[slot]);
            }
        }
        return sum * NANOS_A_SECOND / Math.max(windowNanos, now - oldest * windowNanos);
    }

    private long elapsed() {
        return ticker.nanos() - origin;
    }
}
