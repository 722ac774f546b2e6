package io.millrace.coordinator.storage;

import java.util.concurrent.CompletableFuture;

/// Where shards keep their records. Callable from any thread; futures complete on any thread and within a bounded time.
public interface ShardStorage {

    /// Appends one batch. Completes with the offset of the first once they are on all in-sync replicas.
    ///
    /// Fails with [io.millrace.wire.error.Refused] and the partition leader's code. `FENCED_LEADER_EPOCH` says that a
    /// newer epoch of this shard has appended. After `MESSAGE_TOO_LARGE` nothing was appended; after any other failure
    /// the records may be in the log, or may yet come in.
    ///
    /// @param epoch of the shard, under which this process owns it
    CompletableFuture<Long> append(int shard, int epoch, ShardBatch batch);

    /// Reads committed records from `offset` on, or from the log's start where that is later.
    CompletableFuture<Chunk> read(int shard, long offset);

    /// A part of the log.
    ///
    /// @param nextOffset where to read on; the same as asked for where there was nothing more
    /// @param end of what is committed, as far as the partition's leader knew then
    /// @param records in the order of the log, decoded as they are iterated over
    record Chunk(long nextOffset, long end, Iterable<Stored> records) {}
}
