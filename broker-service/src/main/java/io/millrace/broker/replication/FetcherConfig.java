package io.millrace.broker.replication;

import java.time.Duration;

import io.millrace.service.config.ServerSettings;

/// How fetchers work.
///
/// @param self this broker's id
/// @param fetchers `num.replica.fetchers`: for each leader
/// @param partitionMaxBytes `replica.fetch.max.bytes`
/// @param maxBytes `replica.fetch.response.max.bytes`
/// @param minBytes `replica.fetch.min.bytes`
/// @param maxWait `replica.fetch.wait.max.ms`
/// @param mostBackoff `replica.fetch.backoff.ms`: no rest after a failure is longer
/// @param answerTimeout `replica.socket.timeout.ms`, beyond `maxWait`
record FetcherConfig(int self, int fetchers, int partitionMaxBytes, int maxBytes, int minBytes, Duration maxWait,
        Duration mostBackoff, Duration answerTimeout) {
    /// Most failures are of a leader that learns of its office a moment later.
    private static final Duration FIRST_BACKOFF = Duration.ofMillis(10);
    private static final int MAX_DOUBLINGS = 20;

    static FetcherConfig of(int self, ServerSettings settings) {
        var maxWait = Duration.ofMillis(settings.getInt("replica.fetch.wait.max.ms"));
        return new FetcherConfig(self, Math.max(1, settings.getInt("num.replica.fetchers")), settings.getInt(
                "replica.fetch.max.bytes"), settings.getInt("replica.fetch.response.max.bytes"), settings.getInt(
                        "replica.fetch.min.bytes"), maxWait, Duration.ofMillis(settings.getInt(
                                "replica.fetch.backoff.ms")), maxWait.plusMillis(settings.getInt(
                                        "replica.socket.timeout.ms")));
    }

    /// How long to rest after so many failures in a row. Without a random part: partitions that failed together come back
    /// together, in one request.
    Duration backoff(int failures) {
        var doubled = FIRST_BACKOFF.multipliedBy(1L << Math.clamp(failures - 1L, 0, MAX_DOUBLINGS));
        return doubled.compareTo(mostBackoff) < 0 ? doubled : mostBackoff;
    }
}
