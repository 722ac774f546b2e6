package io.millrace.coordinator.shard;

import java.time.Clock;
import java.util.UUID;
import java.util.random.RandomGenerator;

import io.millrace.base.loop.Backoff;
import io.millrace.base.loop.Ticker;
import io.millrace.coordinator.storage.ShardStorage;

/// What all shards of a kind share in a process.
///
/// @param random for member ids and waits; used by several threads
/// @param loadRetry waits between attempts to load
/// @param limits of what each appends
public record ShardRuntime(ShardStorage storage, ShardMetrics metrics, Clock clock, Ticker ticker,
        RandomGenerator random, Backoff loadRetry, AppendLimits limits) {

    /// The random part of a member id.
    String freshId() {
        return new UUID(random.nextLong(), random.nextLong()).toString();
    }
}
