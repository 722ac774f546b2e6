package io.millrace.coordinator.shard;

import java.util.function.Consumer;
import java.util.function.Function;

import io.millrace.base.loop.Loop;
import io.millrace.coordinator.record.EncodedRecord;
import org.apache.kafka.common.protocol.Errors;

/// Where a shard lives while one process owns it in one epoch.
///
/// @param lost to be told on the loop where the log may say what the shard does not: see [AppendQueue]
public record ShardPlace(int shard, int epoch, Loop loop, ShardRuntime runtime, Consumer<Errors> lost) {

    /// The one way to its log.
    ///
    /// @param encoder of the records it is given
    public <R> AppendQueue<R> appends(Function<R, EncodedRecord> encoder) {
        return new AppendQueue<>(loop, runtime.limits(), encoder, batch -> runtime.storage().append(shard, epoch,
                batch),
                runtime.metrics(), lost);
    }
}
