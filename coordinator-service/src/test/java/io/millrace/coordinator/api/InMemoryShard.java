package io.millrace.coordinator.api;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.millrace.coordinator.record.EncodedRecord;
import io.millrace.coordinator.storage.ShardBatch;
import io.millrace.coordinator.storage.ShardStorage;
import io.millrace.coordinator.storage.Stored;
import io.millrace.coordinator.storage.StoredRecord;

/// A shard's log in memory that answers at once.
final class InMemoryShard implements ShardStorage {
    private final List<EncodedRecord> log = new ArrayList<>();

    @Override
    public CompletableFuture<Long> append(int shard, int epoch, ShardBatch batch) {
        long base = log.size();
        log.addAll(batch.records());
        return CompletableFuture.completedFuture(base);
    }

    @Override
    public CompletableFuture<Chunk> read(int shard, long offset) {
        var records = new ArrayList<Stored>();
        for (long at = offset; at < log.size(); at++) {
            var record = log.get((int) at);
            var value = record.value();
            records.add(new StoredRecord(at, ByteBuffer.wrap(record.key().array()),
                    value == null ? null : ByteBuffer.wrap(value.array())));
        }
        return CompletableFuture.completedFuture(new Chunk(log.size(), log.size(), records));
    }
}
