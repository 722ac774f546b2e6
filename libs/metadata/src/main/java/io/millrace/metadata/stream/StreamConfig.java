package io.millrace.metadata.stream;

import java.time.Duration;

import io.millrace.base.check.Check;
import io.millrace.base.loop.Backoff;

/// How the two ends of a stream treat each other.
///
/// @param backlogVersions a subscriber that lags by more gets a snapshot in place of what it missed
/// @param backlogBytes of encoded deltas that are kept for subscribers that lag
/// @param heartbeat how often each end says that it is alive
/// @param silence after which the other end is taken for dead
/// @param maxFrameBytes of a frame that comes down
/// @param reconnect how long a node waits before it tries the next time
public record StreamConfig(int backlogVersions, int backlogBytes, Duration heartbeat, Duration silence,
        int maxFrameBytes, Backoff reconnect) {
    /// What holds where nothing else is said.
    public static final StreamConfig DEFAULT = new StreamConfig(100, 16 << 20, Duration.ofMillis(400),
            Duration.ofSeconds(2), 256 << 20, new Backoff(Duration.ofMillis(50), Duration.ofSeconds(1)));

    public StreamConfig {
        Check.argument(backlogVersions > 0 && backlogBytes > 0 && maxFrameBytes > 0, "bounds are positive");
        Check.argument(heartbeat.isPositive() && silence.compareTo(heartbeat) > 0, "silence=%s heartbeat=%s", silence,
                heartbeat);
    }
}
