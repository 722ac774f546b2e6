package io.millrace.coordinator.shard;

import java.util.function.Function;

import io.millrace.base.loop.Loop;
import io.millrace.coordinator.record.EncodedRecord;

/// Where a shard lives while one process owns it in one epoch.
///
/// @param fenced to be run on the loop once a newer owner is seen
public record ShardPlace(int shard, int epoch, Loop loop, ShardRuntime runtime, Runnable fenced) {

    /// The one way to its log.
    ///
    /// @param encoder of the records it is given
    public <R> AppendQueue<R> appends(Function<R, EncodedRecord> encoder) {
        return new AppendQueue<>(loop, runtime.limits(), encoder, batch -> runtime.storage().append(shard, epoch,
                batch),
                runtime.metrics(), fenced);
    }
}
