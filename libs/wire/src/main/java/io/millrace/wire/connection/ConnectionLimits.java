package io.millrace.wire.connection;

import java.time.Duration;

import io.millrace.base.check.Check;

/// What one connection may use.
///
/// @param maxRequestBytes a larger request closes the connection (`socket.request.max.bytes`)
/// @param maxInFlight requests taken from the connection and not yet answered; beyond, nothing more is read from it
/// @param maxIdle without a byte in or out and without a request in hand, it is closed (`connections.max.idle.ms`)
public record ConnectionLimits(int maxRequestBytes, int maxInFlight, Duration maxIdle) {

    /// Kafka's defaults; in-flight is ours (Kafka takes one request of a connection at a time).
    public static final ConnectionLimits DEFAULTS = new ConnectionLimits(104_857_600, 32, Duration.ofMinutes(10));

    public ConnectionLimits {
        Check.argument(maxRequestBytes > 0, "maxRequestBytes=%d", maxRequestBytes);
        Check.argument(maxInFlight > 0, "maxInFlight=%d", maxInFlight);
        Check.argument(maxIdle.isPositive(), "maxIdle=%s", maxIdle);
    }
}
