package io.millrace.broker.partition;

/// When one follower's session fetched last. A session moves it on with each fetch, for all its partitions at once, so that
/// those that do not move cost nothing.
///
/// Written on the loop of the follower's connection, read by any thread.
public final class FetchTimes {
    private volatile long lastNanos;

    /// @param nowNanos of the ticker that all leaders of this broker go by
    public FetchTimes(long nowNanos) {
        lastNanos = nowNanos;
    }

    /// The session fetched.
    public void fetched(long nowNanos) {
        lastNanos = nowNanos;
    }

    long lastNanos() {
        return lastNanos;
    }
}
