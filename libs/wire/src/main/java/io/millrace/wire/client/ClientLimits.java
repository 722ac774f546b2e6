package io.millrace.wire.client;

import java.time.Duration;

import io.millrace.base.check.Check;
import io.millrace.base.loop.Backoff;

/// What a client may use of each node it talks to.
///
/// @param maxInFlight requests sent and not answered; more wait here
/// @param maxWaiting requests waiting here; one more fails at once
/// @param maxAnswerBytes a larger answer breaks the connection
/// @param connectTimeout for looking up the name, connecting, and learning the node's versions
/// @param maxSilence where a request's time runs out and the node has sent nothing for so long, the connection is broken
/// @param backoff before connecting again after a failure to connect
public record ClientLimits(int maxInFlight, int maxWaiting, int maxAnswerBytes, Duration connectTimeout,
        Duration maxSilence, Backoff backoff) {

    public static final ClientLimits DEFAULTS = new ClientLimits(100, 10_000, 104_857_600, Duration.ofSeconds(10),
            Duration.ofSeconds(10), new Backoff(Duration.ofMillis(50), Duration.ofSeconds(2)));

    public ClientLimits {
        Check.argument(maxInFlight > 0 && maxWaiting > 0 && maxAnswerBytes > 0, "maxInFlight=%d maxWaiting=%d bytes=%d",
                maxInFlight, maxWaiting, maxAnswerBytes);
    }
}
